import { extname } from 'node:path'
import { type Passage, passagesOf } from '../passages.ts'

const MEGABYTE = 1024 * 1024

/** How files of one kind are read; what reads it is loaded with the first such file. */
interface Format {
  maxBytes: number
  /** Takes long, or carries much with it: it is read in a thread. */
  isHeavy: boolean
  read: (file: string, bytes: Buffer) => Promise<Passage[]>
}

const markdown: Format = { maxBytes: 16 * MEGABYTE, isHeavy: false, read: async (file, bytes) => passagesOf(file, textOf(bytes)) }
const html: Format = {
  maxBytes: 16 * MEGABYTE,
  isHeavy: false,
  read: async (file, bytes) => (await import('./html.ts')).htmlPassages(file, textOf(bytes)),
}

const FORMATS: Readonly<Record<string, Format>> = {
  '.md': markdown,
  '.txt': markdown,
  '.html': html,
  '.htm': html,
  '.csv': {
    maxBytes: 64 * MEGABYTE,
    isHeavy: false,
    read: async (file, bytes) => (await import('./csv.ts')).csvPassages(file, textOf(bytes)),
  },
  '.pdf': { maxBytes: 64 * MEGABYTE, isHeavy: true, read: async (file, bytes) => (await import('./pdf.ts')).pdfPassages(file, bytes) },
  '.docx': { maxBytes: 32 * MEGABYTE, isHeavy: true, read: async (file, bytes) => (await import('./docx.ts')).docxPassages(file, bytes) },
}

/** How a file is read, by the end of its name; undefined for what is no knowledge. */
export function formatOf(file: string): Format | undefined {
  const ending = extname(file).toLowerCase()
  return Object.hasOwn(FORMATS, ending) ? FORMATS[ending] : undefined
}

function textOf(bytes: Buffer): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
}
