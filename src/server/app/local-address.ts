/** The address to open in a browser: `localhost` where possible, because browsers treat it as secure. It may not mean `::1`. */
export function localAddress(host: string, port: number): string {
  const everywhere = ['0.0.0.0', '::', '127.0.0.1']
  const name = everywhere.includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
