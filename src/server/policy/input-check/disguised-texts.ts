import { rejoinedWords } from './rejoined-words.ts'

/** Longest text in which disguises are looked for. */
const MAX_CHARACTERS = 4_000
/** Most encoded pieces that are read. */
const MAX_PIECES = 8

const SPACED_LETTERS = /(?<!\p{L})\p{L}(?:[ .\-_*|/·~+,]\p{L}){3,}(?!\p{L})/gu
const SPACED_SIGNS =
  /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[ .\-_*|/·]{1,3}(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/gu
const HYPHENS = /(?<=\p{L})-(?=\p{L})/gu
const QUOTATION_MARK = /["“«]/
const QUOTED = /["“«]([^"”»\n]{1,200})["”»]/gu
const ALTERNATE_WORDS = /second word|every other word|zweite[ns]? wort|mot sur deux|segunda palabra|seconda parola|segunda palavra/i
/** Frequent words of attacks in ROT13 and backwards; the rest of the text is read only beside one of them. */
const ROT13_WORDS = /vtaber|vafgeh|cebzcg|ehyrf|flfgrz|lbhe|ertyrf|ertryn|najrvfhat|boyvr|sbetrg|qvfertneq/i
const REVERSED_WORDS = /erongi|curtsni|tpmorp|selur|metsys|ruoy|nleger|selgèr|negnusiewna|dragersid|laever/i
const FIRST_LETTERS = /first letters?|initials|anfangsbuchstaben|erste[nr]? buchstaben|premi[eè]res? lettres?|primeras? letras?|acrosti/i
const BASE64 = /[A-Za-z0-9+/_-]{20,}={0,2}/g
const HEX = /(?:\b|\\x|0x)[0-9a-f]{2}(?:[\s,]?(?:\\x|0x)?[0-9a-f]{2}){11,}\b/gi
const BINARY = /\b[01]{8}(?:\s?[01]{8}){7,}\b/g
const PERCENT_ENCODED = /(?:%[0-9a-f]{2}){8,}/gi
/** Invisible characters that mirror ASCII. */
const TAGS = /[\u{e0020}-\u{e007e}]+/gu

/** What a text says if it is read as disguises are: without separators, decoded, joined or backwards. Bounded in number and length. */
export function disguisedTexts(text: string): string[] {
  const read = text.slice(0, MAX_CHARACTERS)
  return [
    joinedLetters(read),
    rejoinedWords(read),
    firstLetters(read),
    joinedQuotes(read),
    ...alternateWords(read),
    ...(ROT13_WORDS.test(read) ? [rot13(read)] : []),
    ...(REVERSED_WORDS.test(read) ? [reversed(read)] : []),
    ...decoded(read),
  ].filter((candidate) => candidate !== '' && candidate !== read)
}

function joinedLetters(text: string): string {
  return text
    .replace(SPACED_LETTERS, (letters) => letters.replaceAll(/[ .\-_*|/·~+,]/g, ''))
    .replace(HYPHENS, '')
    .replace(SPACED_SIGNS, '')
}

function joinedQuotes(text: string): string {
  if (!QUOTATION_MARK.test(text)) return ''
  const quotes = [...text.matchAll(QUOTED)].map(([, quote = '']) => quote)
  return quotes.length > 1 ? quotes.join('') : ''
}

function alternateWords(text: string): string[] {
  if (!ALTERNATE_WORDS.test(text)) return []
  const words = text
    .slice(text.lastIndexOf(':') + 1)
    .trim()
    .split(/\s+/)
  return [0, 1].map((start) => words.filter((_, index) => index % 2 === start).join(' '))
}

/** What the first letters say of the lines or words, if the text mentions them. */
function firstLetters(text: string): string {
  if (!FIRST_LETTERS.test(text)) return ''
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const units = lines.length > 4 ? lines : (text.slice(text.lastIndexOf(':') + 1).match(/\p{L}+/gu) ?? [])
  return rejoinedWords(units.map((unit) => /\p{L}/u.exec(unit)?.[0] ?? '').join(''))
}

function rot13(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base)
  })
}

const reversed = (text: string) => [...text].toReversed().join('')

function decoded(text: string): string[] {
  const pieces = [
    ...piecesOf(text, BASE64, (piece) => Buffer.from(piece, 'base64').toString('utf8')),
    ...piecesOf(text, HEX, (piece) => Buffer.from(piece.replaceAll(/\\x|0x|[\s,]/gi, ''), 'hex').toString('utf8')),
    ...piecesOf(text, BINARY, (piece) => String.fromCharCode(...bytesOf(piece.replaceAll(/\s/g, '')))),
    ...piecesOf(text, PERCENT_ENCODED, (piece) => Buffer.from(piece.replaceAll('%', ''), 'hex').toString('utf8')),
    ...piecesOf(text, TAGS, (piece) => String.fromCodePoint(...[...piece].map((tag) => (tag.codePointAt(0) ?? 0) - 0xe0000))),
  ]
  return pieces.filter(isText)
}

function piecesOf(text: string, pattern: RegExp, decode: (piece: string) => string): string[] {
  return (text.match(pattern) ?? []).slice(0, MAX_PIECES).map(decode)
}

const bytesOf = (bits: string) => (bits.match(/[01]{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))

/** Other bytes decode to replacement and control characters. */
const isText = (text: string) => text.length >= 8 && !/[\ufffd\p{Cc}]/u.test(text.replaceAll(/[\r\n\t]/g, ''))
