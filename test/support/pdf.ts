import { constants, deflateRawSync } from 'node:zlib'

const MEGABYTE = 1024 * 1024
const EMPTY_LAST_BLOCK = Buffer.from([3, 0])

/** A minimal PDF with a line of text on each page. */
export function pdfOf(lines: string[], title?: string): Buffer {
  return pdfWithPages(
    lines.map((line) => ({ content: Buffer.from(`BT /F1 12 Tf 72 720 Td (${line}) Tj ET`), filter: '' })),
    title,
  )
}

/** Text at a place from the bottom left, in 12 points unless stated. */
export type PlacedText = [x: number, y: number, text: string, size?: number]

interface PlacedOptions {
  title?: string
  letters?: Record<number, string>
  /** Operators of each page, after its texts. */
  drawing?: string
  /** Dictionaries of each page's annotations. */
  annotations?: string
  /** Entries of each page's dictionary. */
  page?: string
}

/** A PDF of pages with texts at their places. A byte stands for the character that `letters` has for it. */
export function placedPdfOf(
  pages: PlacedText[][],
  { title, letters = {}, drawing = '', annotations = '', page = '' }: PlacedOptions = {},
): Buffer {
  const escape = (text: string) => text.replace(/[\\()]/g, '\\$&')
  const contents = pages.map((texts) =>
    texts.map(([x, y, text, size = 12]) => `BT /F1 ${size} Tf ${x} ${y} Td (${escape(text)}) Tj ET`).join('\n'),
  )
  return pdfWithPages(
    contents.map((content) => ({ content: Buffer.from(`${content}\n${drawing}`, 'latin1'), filter: '', annotations, page })),
    title,
    letters,
  )
}

/** A PDF of pages that are pictures in JPEG’s form (RGB). */
export function picturePdfOf(pictures: { jpeg: Buffer; width: number; height: number }[]): Buffer {
  const contents = pictures.map(({ jpeg, width, height }) =>
    Buffer.concat([
      Buffer.from(`q 612 0 0 792 0 0 cm BI /W ${width} /H ${height} /CS /RGB /BPC 8 /F /DCT ID `),
      jpeg,
      Buffer.from('\nEI Q'),
    ]),
  )
  return pdfWithPages(contents.map((content) => ({ content, filter: '' })))
}

/** A PDF of a thousandth of the given size, whose page inflates to that size. `hidden`: behind another filter. */
export function pdfBombOf(megabytes: number, { hidden = false } = {}): Buffer {
  // A block that ends with a full flush refers to nothing before it, so it can be repeated.
  const block = deflateRawSync(Buffer.alloc(MEGABYTE, ' '), { finishFlush: constants.Z_FULL_FLUSH })
  const content = Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array.from({ length: megabytes }, () => block), EMPTY_LAST_BLOCK])
  if (!hidden) return pdfWithPages([{ content, filter: '/Filter/FlateDecode' }])
  return pdfWithPages([{ content: Buffer.from(`${content.toString('hex')}>`), filter: '/Filter[/ASCIIHexDecode/FlateDecode]' }])
}

function pdfWithPages(
  pages: { content: Buffer; filter: string; annotations?: string; page?: string }[],
  title?: string,
  letters: Record<number, string> = {},
): Buffer {
  const hex = (text: string) => Buffer.from(text, 'utf16le').swap16().toString('hex')
  const lines = Object.entries(letters).map(([byte, letter]) => `<${Number(byte).toString(16)}> <${hex(letter)}>`)
  const map =
    lines.length === 0
      ? ''
      : `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange ${lines.length} beginbfchar ${lines.join(' ')} endbfchar endcmap end`
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(' ')
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count ${pages.length}>>`,
    `<</Type/Font/Subtype/Type1/BaseFont/Helvetica${map === '' ? '' : `/ToUnicode ${4 + pages.length * 2} 0 R`}>>`,
    ...pages.flatMap(({ content, filter, annotations = '', page = '' }, index) => [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>/Annots[${annotations}]/Contents ${5 + index * 2} 0 R${page}>>`,
      `<<${filter}/Length ${content.length}>>stream\n${content.toString('latin1')}\nendstream\n`,
    ]),
    ...(map === '' ? [] : [`<</Length ${map.length}>>stream\n${map}\nendstream\n`]),
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj${object}endobj\n`
    return offset
  })
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  return Buffer.from(
    `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer<</Size ${objects.length + 1}/Root 1 0 R${title === undefined ? '' : `/Info<</Title(${title})>>`}>>\nstartxref\n${text.length}\n%%EOF`,
    'latin1',
  )
}
