import { DOCUMENT_TYPES } from '../../../contract/chat/files.ts'

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(DOCUMENT_TYPES).map(([type, ending]) => [ending.slice(1), type])),
  txt: 'text/plain',
  html: 'text/html',
  htm: 'text/html',
  xhtml: 'text/html',
  page: 'text/html',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
}

export function mediaTypeOf(file: string): string {
  return MEDIA_TYPES[file.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'text/markdown'
}
