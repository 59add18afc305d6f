import { hash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MANIFEST, SourceManifest, UPLOADS_SOURCE } from '../files/list-source-pages.ts'
import type { Database } from '../../store/engine/database.ts'
import { listSnapshots, readPages, readTexts, type SourcePage, type SourceRow } from '../../store/knowledge/sources.ts'

/** Files that an index may still be reading are deleted later. */
const GRACE_MS = 600_000

/** Brings the pages that answer, or what a first run has read so far, into the folder of the index. Returns whether it has them. */
export async function mirrorSource(
  database: Database,
  { id, active }: Pick<SourceRow, 'id' | 'active'>,
  directory: string,
): Promise<boolean> {
  const folder = join(directory, id)
  const snapshots = await listSnapshots(database, id)
  const snapshot = snapshots.find(({ number, state }) => (active === null ? state === 'building' : number === active))
  if (!snapshot) return false
  if (snapshot.hash !== null && (await mirroredHash(folder)) === snapshot.hash) return true
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const pages: SourceManifest['pages'] = []
  for await (const part of readPages(database, id, snapshot.number)) pages.push(...(await writeTexts(database, id, folder, part)))
  // It was deleted meanwhile, and another one answers.
  if (snapshot.hash !== null && pages.length < snapshot.pages) return false
  await writeManifest(folder, { hash: snapshot.hash ?? `first run, ${pages.length} pages`, pages })
  return true
}

/** Makes these pages those of the folder. The files of others are deleted later, since an index may still be reading them. */
export async function writeManifest(folder: string, manifest: SourceManifest): Promise<void> {
  await writeWhole(join(folder, MANIFEST), JSON.stringify(manifest))
  await removeStale(folder, new Set(manifest.pages.map(({ path }) => path)))
}

/** Whole or not at all, since several processes may share the folder. */
async function writeWhole(path: string, content: string): Promise<void> {
  const draft = `${path}.${process.pid}`
  await writeFile(draft, content, { mode: 0o600 })
  await rename(draft, path)
}

/** Writes a page unless it is there; `null` without content. `version`: SHA-256 in hex, of all that it depends on. */
export async function writePage(
  folder: string,
  version: string,
  content: () => Promise<string | null>,
): Promise<SourceManifest['pages'][number] | null> {
  const path = `${version.slice(0, 40)}.page`
  const known = await stat(join(folder, path)).catch(() => null)
  const text = known ? null : await content()
  if (text !== null) await writeWhole(join(folder, path), text)
  else if (!known) return null
  const size = known?.size ?? Buffer.byteLength(text ?? '')
  return { file: path, path, size, version: Number.parseInt(version.slice(0, 12), 16) }
}

export async function removeMirrors(directory: string, ids: ReadonlySet<string>): Promise<boolean> {
  const mirrored = await readdir(directory).catch(() => [])
  const gone = mirrored.filter((id) => !ids.has(id) && id !== UPLOADS_SOURCE)
  for (const id of gone) await rm(join(directory, id), { recursive: true, force: true })
  return gone.length > 0
}

async function mirroredHash(folder: string): Promise<string | null> {
  try {
    return SourceManifest.parse(JSON.parse(await readFile(join(folder, MANIFEST), 'utf8'))).hash
  } catch {
    return null
  }
}

/** Writes these pages, one text at a time: a site may have very long ones. */
async function writeTexts(database: Database, id: string, folder: string, pages: readonly SourcePage[]): Promise<SourceManifest['pages']> {
  const written: SourceManifest['pages'] = []
  for (const { address, text_hash: textHash, as_of: asOf } of pages) {
    if (textHash === null) continue
    const version = hash('sha256', `${address}\n${textHash}\n${asOf ?? ''}`)
    const page = await writePage(folder, version, async () => {
      const text = (await readTexts(database, id, [textHash])).get(textHash)
      return text === undefined ? null : `${text.slice(0, -1)},${JSON.stringify({ address, asOf }).slice(1)}`
    })
    const { host, pathname, search } = new URL(address)
    if (page !== null) written.push({ ...page, file: `source:${id}/${host}${pathname}${search}.page` })
  }
  return written
}

async function removeStale(folder: string, current: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name === MANIFEST || current.has(name)) continue
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (Date.now() - mtimeMs > GRACE_MS) await rm(join(folder, name), { force: true })
  }
}
