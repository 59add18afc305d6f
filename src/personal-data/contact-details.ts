import { digitsOf } from './checksums.ts'
import type { Span } from './payment-numbers.ts'

const AT_SIGN = /@|\s?[[(](?:at|ät)[\])]\s?/gi
/** Longest local part and domain (RFC 5321, shortened). */
const LOCAL = /[\p{L}\p{N}_%+-][\p{L}\p{N}._%+'-]{0,63}$/u
const DOMAIN =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?(?:\.|\s?[[(](?:dot|punkt|punto|point)[\])]\s?)){1,6}\p{L}[\p{L}\p{N}-]{0,22}[\p{L}\p{N}]/iu
const LONGEST_DOMAIN = 120

/** E-mail addresses, also with (at) and [dot]. */
export function findEmails(text: string): Span[] {
  return [...text.matchAll(AT_SIGN)].flatMap(({ 0: sign, index }) => {
    const local = LOCAL.exec(text.slice(Math.max(0, index - 64), index))?.[0]
    const domain = local && DOMAIN.exec(text.slice(index + sign.length, index + sign.length + LONGEST_DOMAIN))?.[0]
    return local && domain && local !== 'git' ? [{ start: index - local.length, end: index + sign.length + domain.length }] : []
  })
}

const NUMBER = /(?<![\d.,:/#$€£-])\+?\(?\d(?:[ ()./-]{0,3}\d){5,31}(?![\d%])(?![.,:]\d)/gu
const WORDS =
  /(?:tel(?:e(?:fon|phone|fone|fono|móvel))?|t[eé]l(?:éphone)?|phone|mobile?|cell|cellulare|cel(?:ular)?|call|ring|text|sms|whatsapp|signal|handy|mobil(?:nummer)?|ruf(?:nummer)?|erreichbar|anrufen|zurückrufen|portable|appel|móvil|movil|llam|numero di|chiam|fax|電話|電話番号|携帯|电话|手机|電話號碼|전화|휴대폰|연락처|फ़ोन|फोन|मोबाइल|هاتف|جوال|موبايل|رقمي|телефон|тел|звон|ligar|ligue|telemóvel)[\p{L}\s:.()=-]{0,25}$/iu
const DATE = /(?<!\d)(?:\d{1,2}[./-]\d{1,2}[./-](?:19|20)\d{2}|(?:19|20)\d{2}[./-]\d{1,2}[./-]\d{1,2})(?!\d)/
const ADDRESS_OF_HOST = /^\d{1,3}(?:\.\d{1,3}){3}$/

/** How countries write numbers without their code. */
const NATIONAL = [
  /^\(\d{3}\) ?\d{3}[ .-]\d{4}$/,
  /^(?:1[-. ])?[2-9]\d{2}([-.])\d{3}\1\d{4}$/,
  /^0[1-9]([ .-]?)\d{2}(?:\1\d{2}){3}$/,
  /^01[5-7]\d{8,9}$/,
  /^0[27]\d{9}$/,
  /^0\d{1,4}\)?(?: ?[/-] ?|[ )]{1,2})\d{3,10}(?:[ -]\d{1,6}){0,4}$/,
  /^\(0\d{1,4}\) ?\d{2,10}(?:[ -]\d{2,6}){0,4}$/,
  /^0\d{1,4}(?:[ /-]\d{2,4}){2,5}$/,
  /^[679]\d{2} \d{3} \d{3}$/,
  /^[679]\d{2} \d{2} \d{2} \d{2}$/,
  /^3\d{2}[ .-]?\d{3} ?\d{3,4}$/,
  /^1[3-9]\d([ -]?)\d{4}\1\d{4}$/,
  /^0[1-9]\d{0,2}-\d{3,4}-\d{4}$/,
  /^[6-9]\d{4} \d{5}$/,
  /^\(?[1-9]\d\)? ?9\d{4}[ -]\d{4}$/,
  /^8 ?[(-]?\d{3}[)-]? ?\d{3}[ -]\d{2}[ -]\d{2}$/,
]

/** Telephone numbers: international, as a country writes them, or after a word such as "call". */
export function findTelephones(text: string): Span[] {
  return [...text.matchAll(NUMBER)].flatMap(({ 0: written, index }) => {
    const whole = telephoneAt(text, index, written)
    // Of two numbers with a slash between them, each is looked at.
    return whole.length > 0
      ? whole
      : [...written.matchAll(/\+?\(?\d(?:[^ ]| (?![/-] ))*/g)].flatMap((part) => telephoneAt(text, index + part.index, part[0]))
  })
}

function telephoneAt(text: string, start: number, written: string): Span[] {
  return isTelephone(written, text.slice(Math.max(0, start - 45), start)) ? [{ start, end: start + written.length }] : []
}

function isTelephone(written: string, before: string): boolean {
  const { length } = digitsOf(written)
  if (/[A-Za-z]$/.test(before) && !WORDS.test(before)) return false
  if (length > 15 || DATE.test(written) || ADDRESS_OF_HOST.test(written) || /^(\d)\1+$/.test(digitsOf(written))) return false
  if (/^\+\(?[1-9]/.test(written)) return length >= 8
  if (/^00[1-9]/.test(written)) return length >= 10
  if (WORDS.test(before)) return length >= 6 && !/^(?:19|20)\d{2}\b/.test(written)
  return length >= 9 && NATIONAL.some((form) => form.test(written))
}
