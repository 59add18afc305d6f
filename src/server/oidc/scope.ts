/** Whether a scope requests the name (OpenID Connect Core 1.0, 5.4). */
export function requestsName(scope: string): boolean {
  return scope.split(' ').some((name) => name === 'profile' || name === 'email')
}
