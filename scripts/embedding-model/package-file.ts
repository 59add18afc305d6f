import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'

const OFFICIAL_INDEX = 'https://pypi.org/simple'
const Project = z.object({ files: z.array(z.object({ filename: z.string(), url: z.string() })) })

/** A file of a Python package, from the index that pip would use. Its checksum is not verified. */
export async function downloadPackageFile(name: string, filename: string): Promise<Buffer> {
  const project = new URL(`${indexAddress().replace(/\/+$/, '')}/${name}/`)
  const page = await get(project, { accept: 'application/vnd.pypi.simple.v1+json, text/html;q=0.1' })
  const address = addressOf(filename, await page.text(), page.headers.get('content-type') ?? '')
  if (address === undefined) throw new Error(`${project.host} doesn't have ${filename}.`)
  return Buffer.from(await (await get(new URL(address, page.url))).arrayBuffer())
}

async function get(url: URL, headers: Record<string, string> = {}): Promise<Response> {
  // `fetch` refuses credentials in addresses.
  const { username, password } = url
  if (username)
    headers['authorization'] = `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`
  const reply = await fetch(Object.assign(new URL(url), { username: '', password: '' }), { headers })
  if (!reply.ok) throw new Error(`${url.host} answers with status ${reply.status}.`)
  return reply
}

/** @see https://packaging.python.org/en/latest/specifications/simple-repository-api/ */
function addressOf(filename: string, page: string, type: string): string | undefined {
  if (type.includes('json')) return Project.parse(JSON.parse(page)).files.find((file) => file.filename === filename)?.url
  const links = [...page.matchAll(/<a[^>]*href="([^"]+)"[^>]*>\s*([^<]+?)\s*</g)]
  return links.find(([, , text]) => text === filename)?.[1]?.replaceAll('&amp;', '&')
}

/** pip's setting `index-url`: from the environment, or its configuration files. */
function indexAddress(): string {
  const files = [process.env['PIP_CONFIG_FILE'], join(homedir(), '.config/pip/pip.conf'), join(homedir(), '.pip/pip.conf'), '/etc/pip.conf']
  const configured = files.map((file) =>
    file && existsSync(file) ? /^index-url\s*[=:]\s*(\S+)/m.exec(readFileSync(file, 'utf8'))?.[1] : undefined,
  )
  return process.env['PIP_INDEX_URL'] || (configured.find((address) => address !== undefined) ?? OFFICIAL_INDEX)
}
