import type { ExtractedDocument } from '../../document.ts'
import { documentOfHtml } from './document-of-html.ts'
import { raisedAfter } from '../../raised.ts'
import { escaped } from './xml.ts'

/** Groups with text that is no part of the document. */
const UNSEEN = new Set(
  'fonttbl colortbl stylesheet info pict object header headerl headerr headerf footer footerl footerr footerf annotation atnid atnauthor listtable listoverridetable revtbl rsidtbl generator themedata colorschememapping datastore latentstyles xmlnstbl nonshppict bkmkstart bkmkend filetbl nonesttables'.split(
    ' ',
  ),
)
const CHARACTERS: Readonly<Record<string, string>> = {
  tab: ' ',
  line: '\n',
  nestrow: '\n',
  nestcell: ' ',
  emdash: '\u2014',
  endash: '\u2013',
  bullet: '\u2022',
  lquote: '\u2018',
  rquote: '\u2019',
  ldblquote: '\u201C',
  rdblquote: '\u201D',
  emspace: ' ',
  enspace: ' ',
}
/** Windows code pages of fonts' character sets. */
const CODE_PAGES: Readonly<Record<number, string>> = {
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gbk',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
}
const TOKEN = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z])|[{}]|[^\\{}\r\n]+/gi
const MAX_GROUPS = 10_000

interface State {
  isUnseen: boolean
  isBold: boolean
  isStruck: boolean
  isRaised: boolean
  font: number
  /** Characters that stand for one of Unicode. */
  skip: number
}

/** The text of a file of Rich Text Format. Hidden, struck and deleted text, headers, footers and comments are left out. */
export function readRtf(bytes: Buffer): ExtractedDocument {
  const source = bytes.toString('latin1')
  if (!source.startsWith('{\\rtf')) throw new Error('It is broken or cut off.')
  return documentOfHtml(new RtfReader(source).read())
}

class RtfReader {
  readonly #source: string
  readonly #fonts = new Map<number, string>()
  readonly #levels = new Map<number, number>()
  readonly #groups: State[] = []
  #state: State = { isUnseen: false, isBold: false, isStruck: false, isRaised: false, font: -1, skip: 1 }
  #codePage = 'windows-1252'
  #bytes: number[] = []
  #toSkip = 0
  #paragraph: { text: string; isBold: boolean }[] = []
  /** Where notes and boxes interrupt a paragraph. */
  readonly #outer: { groups: number; end: string }[] = []
  #level = 0
  #cells: string[] = []
  #cell: string[] = []
  #isInTable = false
  #rows: string[] = []
  #merged = { across: new Set<number>(), down: new Set<number>() }
  #cellDefinitions = 0
  #cellName = 'td'
  #above: string[] = []
  /** The field's instruction, whose result follows. */
  #instruction: string | null = null
  #address = ''
  /** Groups around the text of a link, and where it begins. */
  #resultAt = -1
  #resultFrom = 0
  #list: 'fonttbl' | 'stylesheet' | null = null
  #listed = 0
  #html = ''

  constructor(source: string) {
    this.#source = source
  }

  read(): string {
    for (const [token, word, number, hex, symbol] of this.#source.matchAll(TOKEN)) {
      if (hex !== undefined) this.#readByte(Number.parseInt(hex, 16))
      else if (token === '{') this.#open()
      else if (token === '}') this.#close()
      else if (word !== undefined) this.#readWord(word.toLowerCase(), number === undefined ? null : Number(number))
      else if (symbol !== undefined) this.#readSymbol(symbol)
      else this.#readText(token)
    }
    this.#endParagraph()
    this.#endTable()
    return this.#html
  }

  #open(): void {
    this.#flush()
    this.#toSkip = 0
    if (this.#groups.length >= MAX_GROUPS) throw new Error('It is nested too deeply.')
    this.#groups.push({ ...this.#state })
  }

  #close(): void {
    this.#flush()
    this.#toSkip = 0
    if (this.#instruction !== null && this.#state.isUnseen) {
      this.#address = /HYPERLINK\s+"([^"]*)"/.exec(this.#instruction)?.[1]?.replace(/^mailto:/i, '') ?? ''
      this.#instruction = null
    }
    if (this.#resultAt === this.#groups.length) this.#endResult()
    if (this.#outer.at(-1)?.groups === this.#groups.length) this.#paragraph.push({ text: this.#outer.pop()?.end ?? '', isBold: false })
    this.#state = this.#groups.pop() ?? this.#state
    if (this.#list !== null && !this.#state.isUnseen) this.#list = null
  }

  #readSymbol(symbol: string): void {
    if (symbol === '*') this.#state.isUnseen = true
    else if (symbol === '~') this.#readText(' ')
    else if (symbol === '_') this.#readText('-')
    else if (symbol === '\n' || symbol === '\r') this.#endParagraph()
    else if (/[\\{}]/.test(symbol)) this.#readText(symbol)
  }

  #readByte(byte: number): void {
    if (this.#toSkip > 0) this.#toSkip -= 1
    else this.#bytes.push(byte)
  }

  #readText(text: string): void {
    this.#flush()
    const rest = text.slice(Math.min(this.#toSkip, text.length))
    this.#toSkip -= text.length - rest.length
    this.#write(rest)
  }

  /** Bytes in the font's encoding; several may be one character. */
  #flush(): void {
    if (this.#bytes.length === 0) return
    const text = new TextDecoder(this.#fonts.get(this.#state.font) ?? this.#codePage).decode(Uint8Array.from(this.#bytes))
    this.#bytes = []
    this.#write(text.replaceAll('\uFFFD', ''))
  }

  #write(text: string): void {
    if (this.#instruction !== null && this.#state.isUnseen) this.#instruction += text
    if (this.#list === null && !this.#state.isUnseen && !this.#state.isStruck && text !== '')
      this.#paragraph.push({
        text: this.#state.isRaised ? raisedAfter(this.#paragraph.at(-1)?.text ?? '', text) : text,
        isBold: this.#state.isBold,
      })
  }

  #readWord(word: string, number: number | null): void {
    if (word !== 'u') this.#flush()
    this.#toSkip = 0
    const isOn = number !== 0
    if (word === 'fonttbl' || word === 'stylesheet') this.#list = word
    if (word === 'fldinst') this.#instruction = ''
    if (UNSEEN.has(word) || word === 'fldinst') this.#state.isUnseen = true
    else if (word === 'b') this.#state.isBold = isOn
    else if (/^(?:strike|striked|deleted|v)$/.test(word)) this.#state.isStruck = isOn
    else if (word === 'super') this.#state.isRaised = isOn
    else if (word === 'nosupersub') this.#state.isRaised = false
    else if (word === 'plain') this.#state = { ...this.#state, isBold: false, isStruck: false, isRaised: false }
    else if (word === 'footnote') this.#interrupt(' (', ')')
    else if (word === 'shptxt') this.#interrupt(' ', ' ')
    else if (word === 'fldrslt') [this.#resultAt, this.#resultFrom] = [this.#groups.length, this.#paragraph.length]
    else if (word === 'cellx') this.#cellDefinitions += 1
    else if (/^clv?mrg$/.test(word)) this.#merged[word === 'clmrg' ? 'across' : 'down'].add(this.#cellDefinitions)
    else if (word === 'trowd') this.#startRow()
    else if (word === 'trhdr') this.#cellName = 'th'
    else if (word === 'f') this.#state.font = this.#listed = number ?? 0
    else if (word === 'fcharset' && this.#list === 'fonttbl') this.#fonts.set(this.#listed, CODE_PAGES[number ?? 0] ?? this.#codePage)
    else if (word === 's') this.#readStyle(number ?? 0)
    else if (word === 'outlinelevel') this.#readLevel((number ?? 0) + 1)
    else if (word === 'ansicpg') this.#codePage = encodingOf(number ?? 0)
    else if (word === 'uc') this.#state.skip = number ?? 1
    else if (word === 'u') this.#readUnicode(number ?? 0)
    else if (/^(?:par|sect|page|column)$/.test(word)) this.#endParagraph()
    else if (word === 'pard') this.#startParagraph()
    else if (word === 'intbl') this.#isInTable = true
    else if (word === 'cell') this.#endCell()
    else if (word === 'row') this.#endRow()
    else if (CHARACTERS[word] !== undefined) this.#write(CHARACTERS[word])
  }

  #readUnicode(number: number): void {
    this.#flush()
    this.#write(String.fromCharCode(number < 0 ? number + 65_536 : number))
    this.#toSkip = this.#state.skip
  }

  #readStyle(style: number): void {
    if (this.#list === 'stylesheet') this.#listed = style
    else this.#level = this.#levels.get(style) ?? this.#level
  }

  #readLevel(level: number): void {
    if (this.#list === 'stylesheet') this.#levels.set(this.#listed, level)
    else if (this.#list === null) this.#level = level
  }

  #startParagraph(): void {
    if (this.#list !== null) return
    this.#level = 0
    this.#isInTable = false
  }

  #endParagraph(): void {
    this.#flush()
    if (this.#list !== null || this.#state.isUnseen) return
    if (this.#outer.length > 0) return void this.#paragraph.push({ text: ' ', isBold: false })
    const text = this.#paragraph
      .map((run) => run.text)
      .join('')
      .replace(/(?<=\() +| +(?=\))/g, '')
      .trim()
    const isBold = this.#paragraph.every((run) => run.isBold || run.text.trim() === '')
    this.#paragraph = []
    if (this.#isInTable) return void this.#cell.push(text)
    this.#endTable()
    if (text === '') return
    const html = escaped(text).replaceAll('\n', '<br>')
    if (this.#level >= 1 && this.#level <= 9) this.#html += `<h${Math.min(6, this.#level)}>${html}</h${Math.min(6, this.#level)}>`
    else this.#html += isBold ? `<p><strong>${html}</strong></p>` : `<p>${html}</p>`
  }

  /** Puts the address of a link after its text. */
  #endResult(): void {
    const text = this.#paragraph.slice(this.#resultFrom).map((run) => run.text)
    if (this.#address !== '' && !text.join('').includes(this.#address))
      this.#paragraph.push({ text: ` (${this.#address})`, isBold: this.#state.isBold })
    this.#address = ''
    this.#resultAt = -1
  }

  /** Reads a note or a box in its place. */
  #interrupt(start: string, end: string): void {
    this.#state = { ...this.#state, isUnseen: false, isRaised: false }
    this.#paragraph.push({ text: start, isBold: false })
    this.#outer.push({ groups: this.#groups.length, end })
  }

  #startRow(): void {
    this.#merged = { across: new Set(), down: new Set() }
    this.#cellDefinitions = 0
    this.#cellName = 'td'
  }

  #endCell(): void {
    this.#isInTable = true
    this.#endParagraph()
    this.#cells.push(this.#cell.filter((text) => text !== '').join('\n'))
    this.#cell = []
  }

  #endRow(): void {
    const { across, down } = this.#merged
    const cells = this.#cells.map((cell, at) =>
      across.has(at) && cell === '' ? null : down.has(at) && cell === '' ? (this.#above[at] ?? '') : cell,
    )
    for (const [at, cell] of cells.entries()) this.#above[at] = cell ?? this.#above[at - 1] ?? ''
    const html = cells.flatMap((cell, at) => {
      if (cell === null) return []
      const next = cells.findIndex((other, index) => index > at && other !== null)
      return [
        `<${this.#cellName} colspan="${(next === -1 ? cells.length : next) - at}">${escaped(cell).replaceAll('\n', '<br>')}</${this.#cellName}>`,
      ]
    })
    this.#rows.push(`<tr>${html.join('')}</tr>`)
    this.#cells = []
  }

  #endTable(): void {
    if (this.#rows.length > 0) this.#html += `<table>${this.#rows.join('')}</table>`
    this.#rows = []
    this.#above = []
  }
}

function encodingOf(codePage: number): string {
  const known: Readonly<Record<number, string>> = {
    932: 'shift_jis',
    936: 'gbk',
    949: 'euc-kr',
    950: 'big5',
    10_000: 'macintosh',
    65_001: 'utf-8',
  }
  return known[codePage] ?? (/^(?:874|125[0-8])$/.test(String(codePage)) ? `windows-${codePage}` : 'windows-1252')
}
