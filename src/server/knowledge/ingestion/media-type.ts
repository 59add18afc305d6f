const MEDIA_TYPES: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  html: 'text/html',
  htm: 'text/html',
  page: 'text/html',
  csv: 'text/csv',
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
}

/** The type of a knowledge file, by the end of its name. */
export function mediaTypeOf(file: string): string {
  return MEDIA_TYPES[file.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'text/markdown'
}
