import { DomUtils, parseDocument } from 'htmlparser2'
import type { Lexer, Token, Tokens } from 'marked'
import { raisedAfter } from './raised.ts'

/** The library's time for emphasis grows with the square of the length; longer text is left as it is written. */
const MAX_CHARACTERS = 10_000
/** Tags of HTML between words. Other text in angle brackets, such as `<your name>`, is text. */
const TAG = /^<(\/?)(a|abbr|b|br|center|del|em|font|i|ins|kbd|mark|s|small|span|strike|strong|sub|sup|u|wbr)(?=[\s/>])/i
const STRUCK = /^(?:del|s|strike)$/i
/** Tags of text that a reader doesn't see, or that no longer holds. */
const UNSEEN = /^<[^>]*\s(?:hidden(?=[\s>=/])|style\s*=\s*["'][^"'>]*(?:display\s*:\s*none|visibility\s*:\s*hidden|line-through))/i
const ADDRESS = /^(?:https?:|mailto:|tel:)/i
const EMPHASIS = { strong: '**', em: '*' } as const
const NOTE_MARKS = /^(?:\[\^[^[\]\s]+\])+$/
const ENTITY = /&(?!amp;#?\w+;)(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi
/** Signs that would mark something in Markdown. */
const SIGNS = /[\\`*_[\]<>#|~=$^]/g
/** Scripts without spaces have highlighted text between letters. */
const UNSPACED = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}'
const HIGHLIGHT = new RegExp(`(?<![^\\s\\p{Ps}\\p{Pi}"'${UNSPACED}])==(?=[^\\s=])([^=\\n]*[^\\s=])==(?![^\\s\\p{P}${UNSPACED}])`, 'gu')

/** Markdown between block marks without struck text, tags and marks of footnotes. `isPlain`: also without emphasis and links. */
export function readInline(lexer: Lexer, text: string, isPlain: boolean): string {
  if (text.length > MAX_CHARACTERS) return text
  return new InlineWriter(isPlain).write(lexer.inlineTokens(text))
}

class InlineWriter {
  readonly #isPlain: boolean
  #struck = 0
  /** The tag whose text isn't seen, and how many of it are open. */
  #unseen: { name: string; open: number } | null = null
  #isRaised = false
  #before = ''
  /** Address of the HTML link that is open. */
  #address = ''

  constructor(isPlain: boolean) {
    this.#isPlain = isPlain
  }

  write(tokens: readonly Token[]): string {
    const texts = tokens.map((token) => {
      const text = this.#textOf(token)
      if (this.#struck > 0 || this.#unseen) return ''
      this.#before = text || this.#before
      return text
    })
    return texts.join('')
  }

  #textOf(token: Tokens.Generic): string {
    const { type, raw } = token
    // A single tilde lowers a figure: H~2~O.
    if (type === 'del') return /^~[^~\s]{1,4}~$/.test(raw) && /\p{L}$/u.test(this.#before) ? raw.slice(1, -1) : ''
    if (type === 'text' && this.#isRaised) return raisedAfter(this.#before, raw.trim())
    if (type === 'html') return this.#readTag(raw)
    if (type === 'image') return token['text'] as string
    if (type === 'codespan') return this.#isPlain ? (token['text'] as string) : raw
    if (type === 'link') return this.#readLink(token as Tokens.Link)
    if (type === 'strong' || type === 'em') {
      const inner = this.write(token.tokens ?? [])
      const mark = this.#isPlain || inner.trim() === '' ? '' : EMPHASIS[type]
      return `${mark}${inner}${mark}`
    }
    if (type === 'escape' && this.#isPlain) return token['text'] as string
    return type === 'text' ? this.#decoded(tidy(raw)) : raw
  }

  #decoded(text: string): string {
    return text.replace(ENTITY, (entity) => {
      const sign = DomUtils.textContent(parseDocument(entity))
        .replace('\u00A0', ' ')
        .replace(/[\u00AD\u200B\u2060]/, '')
      return this.#isPlain || sign === entity ? sign : sign.replace(SIGNS, '\\$&')
    })
  }

  #readLink({ raw, href, tokens }: Tokens.Link): string {
    if (NOTE_MARKS.test(raw)) return ''
    const text = this.write(tokens)
    if (!raw.startsWith('[') || !ADDRESS.test(href)) return raw.startsWith('[') ? text : raw
    return this.#isPlain ? withAddress(text, href) : `[${text}](${href})`
  }

  #readTag(raw: string): string {
    const [, end, tag = ''] = /^<(\/?)([a-z][\w-]*)/i.exec(raw) ?? []
    if (this.#unseen?.name === tag.toLowerCase()) this.#unseen.open += end === '/' ? -1 : 1
    else if (!this.#unseen && end === '' && UNSEEN.test(raw) && !raw.endsWith('/>')) this.#unseen = { name: tag.toLowerCase(), open: 1 }
    if (this.#unseen) {
      if (this.#unseen.open === 0) this.#unseen = null
      return ''
    }
    const [, slash, name = ''] = TAG.exec(raw) ?? []
    if (name === '') return raw
    if (/^sup$/i.test(name)) this.#isRaised = slash === ''
    if (STRUCK.test(name)) this.#struck = Math.max(0, this.#struck + (slash === '/' ? -1 : 1))
    if (/^br$/i.test(name)) return '\n'
    if (!/^a$/i.test(name)) return ''
    const address = this.#address
    this.#address = slash === '/' ? '' : (/\shref\s*=\s*["']?([^"'\s>]+)/i.exec(raw)?.[1] ?? '')
    return slash === '/' && ADDRESS.test(address) ? ` (${address})` : ''
  }
}

/** Text without marks of notes and colours, with raised figures as such. */
function tidy(text: string): string {
  return text
    .replace(/(?<!\s)\^\[([^[\]]*\s[^[\]]*)\]/g, ' ($1)')
    .replace(HIGHLIGHT, '$1')
    .replace(/(\S?)\^(-?\d{1,3})\^/g, (_, before: string, raised: string) => before + raisedAfter(before, raised))
}

function withAddress(text: string, href: string): string {
  const address = href.replace(/^(?:mailto|tel):/i, '')
  return text.includes(address) ? text : `${text} (${address})`
}
