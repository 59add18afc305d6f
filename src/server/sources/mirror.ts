import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MANIFEST, type SourceManifest, SourceManifest as Manifest } from '../knowledge/sources/list-source-pages.ts'
import type { Database } from '../store/database.ts'
import { listSnapshots, readPages, readTexts, type SourcePage, type SourceRow } from '../store/sources.ts'

/** Files that an index may still be reading are deleted later. */
const GRACE_MS = 600_000

/**
 * Brings the pages that answer into a folder, from which the index reads them: those of the active snapshot, or what the first run has
 * read so far. Returns whether anything has changed.
 */
export async function mirrorSource(
  database: Database,
  { id, active }: Pick<SourceRow, 'id' | 'active'>,
  directory: string,
): Promise<boolean> {
  const folder = join(directory, id)
  const snapshots = await listSnapshots(database, id)
  const snapshot = snapshots.find(({ number, state }) => (active === null ? state === 'building' : number === active))
  if (!snapshot || (snapshot.hash !== null && (await mirroredHash(folder)) === snapshot.hash)) return false
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const pages: SourceManifest['pages'] = []
  for await (const part of readPages(database, id, snapshot.number)) pages.push(...(await writeTexts(database, id, folder, part)))
  const draft = join(folder, `${MANIFEST}.${process.pid}`)
  await writeFile(draft, JSON.stringify({ hash: snapshot.hash ?? `first run, ${pages.length} pages`, pages } satisfies SourceManifest), {
    mode: 0o600,
  })
  await rename(draft, join(folder, MANIFEST))
  await removeStale(folder, new Set(pages.map(({ path }) => path)))
  return true
}

/** Removes the pages of sources that are not there any more. Returns whether there were any. */
export async function removeMirrors(directory: string, ids: ReadonlySet<string>): Promise<boolean> {
  const mirrored = await readdir(directory).catch(() => [])
  const gone = mirrored.filter((id) => !ids.has(id))
  for (const id of gone) await rm(join(directory, id), { recursive: true, force: true })
  return gone.length > 0
}

async function mirroredHash(folder: string): Promise<string | null> {
  try {
    return Manifest.parse(JSON.parse(await readFile(join(folder, MANIFEST), 'utf8'))).hash
  } catch {
    return null
  }
}

async function writeTexts(database: Database, id: string, folder: string, pages: readonly SourcePage[]): Promise<SourceManifest['pages']> {
  const texts = await readTexts(
    database,
    id,
    pages.flatMap(({ text_hash: hash }) => hash ?? []),
  )
  const written: SourceManifest['pages'] = []
  for (const { address, text_hash: hash, as_of: asOf } of pages) {
    const text = hash === null ? undefined : texts.get(hash)
    if (text === undefined) continue
    const version = createHash('sha256')
      .update(`${address}\n${hash}\n${asOf ?? ''}`)
      .digest('hex')
    const path = `${version.slice(0, 40)}.page`
    const content = JSON.stringify({ ...(JSON.parse(text) as object), address, asOf })
    if (!(await exists(join(folder, path)))) {
      // Whole or not at all, since several processes may share the folder.
      const draft = join(folder, `${path}.${process.pid}`)
      await writeFile(draft, content, { mode: 0o600 })
      await rename(draft, join(folder, path))
    }
    const { host, pathname, search } = new URL(address)
    written.push({
      file: `source:${id}/${host}${pathname}${search}.page`,
      path,
      size: Buffer.byteLength(content),
      version: Number.parseInt(version.slice(0, 12), 16),
    })
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

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
