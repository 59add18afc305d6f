import { unzipSync } from 'fflate'
import { MAX_IMPORT_BYTES, MAX_IMPORTED_CHATS } from '../../../contract/size-limits.ts'
import type { ExportDocument } from '../../../contract/chat/export.ts'
import { t } from '../../../ui/language/translate.ts'

/** Larger files are rejected unread, because reading would freeze the page. */
const MAX_FILE_BYTES = 100 * 1024 * 1024
const MAX_DOCUMENT_BYTES = 200 * 1024 * 1024
const DOCUMENT = /(?:^|\/)parley\.json$/
const ZIP_BEGIN = [0x50, 0x4b]

export type ReadExport = { ok: true; parts: ExportDocument[]; chats: number; tooLarge: number } | { ok: false; sentence: string }

/**
 * Reads an exported ZIP or `parley.json` and splits it into documents of importable size. The server validates the chats. Chats that are
 * too large to import are skipped and counted.
 */
export async function readExport(file: File): Promise<ReadExport> {
  if (file.size > MAX_FILE_BYTES) return refused(t('This file is larger than 100 MB. Nothing was imported.'))
  const found = documentOf(new Uint8Array(await file.arrayBuffer()))
  if (!found) return refused(t('This file isn’t an export. Choose the ZIP file of an export, or the parley.json in it.'))
  if (found.version > 1) return refused(t('This file is from a newer version. Import it after this site has been updated.'))
  if (found.chats.length === 0) return refused(t('There are no chats in this file.'))
  return { ok: true, ...partsOf(found) }
}

const refused = (sentence: string): ReadExport => ({ ok: false, sentence })

/** Exports of newer servers have another version. */
type Found = Omit<ExportDocument, 'version'> & { version: number }

function documentOf(bytes: Uint8Array): Found | null {
  try {
    const text = ZIP_BEGIN.every((byte, index) => bytes[index] === byte) ? unzipped(bytes) : bytes
    const read = text && (JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(text)) as Partial<Found> | null)
    return read && read.format === 'parley-export' && Array.isArray(read.chats) ? (read as Found) : null
  } catch (error) {
    console.error(error)
    return null
  }
}

function unzipped(bytes: Uint8Array): Uint8Array | undefined {
  const files = unzipSync(bytes, { filter: ({ name, originalSize }) => DOCUMENT.test(name) && originalSize <= MAX_DOCUMENT_BYTES })
  return Object.values(files)[0]
}

function partsOf({ chats, ...rest }: Found) {
  const head = { ...rest, version: 1 as const }
  const room = MAX_IMPORT_BYTES - bytesOf({ ...head, chats: [] })
  const parts: ExportDocument[] = []
  let left = 0
  let tooLarge = 0
  for (const chat of chats) {
    const size = bytesOf(chat) + 1
    if (size > room) tooLarge += 1
    else {
      const last = parts.at(-1)
      if (last && size <= left && last.chats.length < MAX_IMPORTED_CHATS) last.chats.push(chat)
      else {
        parts.push({ ...head, chats: [chat] })
        left = room
      }
      left -= size
    }
  }
  return { parts, chats: chats.length, tooLarge }
}

const bytesOf = (value: unknown): number => new Blob([JSON.stringify(value)]).size
