import { Readable } from 'node:stream'
import type { Access } from '../../store/visitors/access.ts'
import type { Database } from '../../store/engine/database.ts'
import { type ExportedSession, ownedSessions } from '../../store/sessions/export.ts'
import { listSessionFiles, readSessionFiles } from '../../store/sessions/files.ts'
import { exportDocument } from './export-document.ts'
import { exportMarkdown } from './export-markdown.ts'

/** Chats with a readable file of their own; `parley.json` contains all chats. */
const MAX_READABLE_CHATS = 5_000
const MAX_NAME_CHARACTERS = 60

/** The caller's chats as a ZIP: `parley.json`, Markdown for each chat, and the files. Reads and compresses on demand. */
export async function exportArchive(database: Database, access: Access, installation: string): Promise<Readable> {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const add = (name: string, pieces: () => AsyncIterable<string | Uint8Array>) => {
    zip.addReadStreamLazy(name, { mtime: new Date(access.now) }, (use) => use(null, Readable.from(pieces())))
  }
  add('parley.json', () => exportDocument(database, installation, access.now, ownedSessions(database, access)))
  let number = 0
  for await (const session of ownedSessions(database, access)) {
    number += 1
    if (number > MAX_READABLE_CHATS) break
    add(`chats/${nameOf(session, number)}.md`, () => exportMarkdown(database, session))
    for (const { id, name } of await listSessionFiles(database, session.id)) {
      add(`files/${id} ${fileName(name)}`, () => contentOf(database, session.id, id))
    }
  }
  const archive = zip.outputStream as Readable
  // Aborts the download on a read error: a truncated archive must not look complete.
  zip.on('error', (error: Error) => archive.destroy(error))
  zip.end()
  return archive
}

/** Yields nothing if the file was deleted in the meantime. */
async function* contentOf(database: Database, sessionId: string, id: string): AsyncGenerator<Uint8Array> {
  const file = (await readSessionFiles(database, sessionId, [id])).get(id)
  if (file) yield Buffer.from(file.content)
}

/** The name of an attached file, in characters that every file system accepts. */
function fileName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}. _-]+/gu, '_')
}

function nameOf({ title, created_at: createdAt }: ExportedSession, number: number): string {
  const readable = title
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME_CHARACTERS)
    .toWellFormed()
    .trim()
  return `${String(number).padStart(4, '0')} ${new Date(createdAt).toISOString().slice(0, 10)} ${readable || 'Chat'}`
}
