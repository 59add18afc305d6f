/** Address of a link that lets somebody join once. The secret stands in the fragment, which browsers send nowhere. */
export function enterUrl(origin: string, secret: string): string {
  return `${origin}/#/enter/${secret}`
}
