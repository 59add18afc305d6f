const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'
/** Takes an exponent: a number, or a unit of length. */
const BASE = /(?:\d|(?:^|[\s\d(/])(?:[cdkmµ]?m|ft|in|yd|s))$/
/** Marks of notes that are no numbers. */
const NOTE_MARK = /^(?:[*\u2020\u2021]+|\[\w{1,3}\]|\(\w{1,2}\)|\w{1,2}\)|[a-d]|\d{1,2}(?:, ?\d{1,2})+)$/

/** A raised text after another: an exponent of a number or a unit, or a note's mark set apart from its word. */
export function raisedAfter(before: string, raised: string): string {
  if (!/^[-\u2212\d]+$/.test(raised)) return NOTE_MARK.test(raised) && /[\p{L}\d]{3}$|[.,;:!?)]$/u.test(before) ? ` ${raised}` : raised
  const digits = [...raised].map((digit) => SUPERSCRIPTS[Number.parseInt(digit, 10)] ?? '⁻').join('')
  return BASE.test(before) || before === '' ? digits : ` ${digits}`
}
