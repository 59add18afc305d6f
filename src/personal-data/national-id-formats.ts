import { digitsOf, isDay, isLuhn, isMod11Mod10, isMonth, isVerhoeff, remainder, weightedSum } from './checksums.ts'

/** How a country writes the numbers of its people. Patterns apply to normalized text and are linear. */
export interface NationalIdFormat {
  country: string
  pattern: RegExp
  /** Whether a match without spaces, dots and dashes, in capitals, is valid. */
  isValid: (number: string, written: string) => boolean
  /** Words of which one must be near, where other numbers often look the same. */
  words?: RegExp
}

/** A number between characters that don't continue it. */
const number = (source: string): RegExp => new RegExp(`(?<!\\d)(?<!\\d[.,/-])${source}(?!\\d)(?![.,/-]\\d)`, 'gi')
const code = (source: string): RegExp => new RegExp(`(?<![\\p{Script=Latin}\\d])${source}(?![\\p{Script=Latin}\\d])`, 'giu')

const at = (text: string, start: number, length: number): number => Number(text.slice(start, start + length))
const digit = (text: string, index: number): number => Number(text[index])
const isRepeated = (text: string): boolean => /^(.)\1*$/.test(text)

export const NATIONAL_ID_FORMATS: readonly NationalIdFormat[] = [
  { country: 'AT', pattern: number('\\d{4}[ -]?\\d{6}'), isValid: isAustrian, words: /versicherung|svnr|sv-n|vsnr/i },
  { country: 'AT', pattern: number('\\d{4} \\d{6}'), isValid: isAustrian },
  { country: 'BE', pattern: number('\\d{2}\\.?\\d{2}\\.?\\d{2}[- ]?\\d{3}[. -]?\\d{2}'), isValid: isBelgian },
  { country: 'BG', pattern: number('\\d{10}'), isValid: isBulgarian, words: /егн|egn/i },
  { country: 'BR', pattern: number('\\d{3}\\.?\\d{3}\\.?\\d{3}[- ]?\\d{2}'), isValid: isBrazilian },
  {
    country: 'CA',
    pattern: number('\\d{3}[ -]?\\d{3}[ -]?\\d{3}'),
    isValid: isLuhn,
    words: /\bsin\b|social insurance|assurance sociale|\bnas\b/i,
  },
  { country: 'CH', pattern: number('756[. ]?\\d{4}[. ]?\\d{4}[. ]?\\d{2}'), isValid: isSwiss },
  { country: 'CL', pattern: code('\\d{1,2}\\.?\\d{3}\\.?\\d{3}-[\\dK]'), isValid: isChilean },
  { country: 'CN', pattern: code('[1-9]\\d{5} ?\\d{8} ?\\d{3}[\\dX]'), isValid: isChinese },
  { country: 'CZ', pattern: number('\\d{6}/\\d{4}'), isValid: isCzech },
  { country: 'CZ', pattern: number('\\d{10}'), isValid: isCzech, words: /rodn|\brč\b/i },
  { country: 'DE', pattern: number('[1-9]\\d ?\\d{3} ?\\d{3} ?\\d{3}'), isValid: isGermanTaxId },
  { country: 'DE', pattern: code('\\d{2} ?\\d{6} ?[A-Z] ?\\d{2} ?\\d'), isValid: isGermanInsurance },
  { country: 'DK', pattern: number('\\d{6}[- ]?\\d{4}'), isValid: isDanish, words: /\bcpr\b|personnummer|cpr-/i },
  {
    country: 'DK',
    pattern: number('\\d{6}-\\d{4}'),
    isValid: (id) => isDanish(id) && weightedSum(id, [4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
  },
  { country: 'EE', pattern: number('[1-6]\\d{10}'), isValid: isBaltic },
  { country: 'ES', pattern: code('\\d{2}[.]?\\d{3}[.]?\\d{3}[- ]?[A-Z]'), isValid: isSpanish },
  { country: 'ES', pattern: code('[XYZ][- ]?\\d{7}[- ]?[A-Z]'), isValid: isSpanish },
  { country: 'FI', pattern: code('\\d{6}[-+A-FU-Y]\\d{3}[\\dA-Y]'), isValid: isFinnish },
  { country: 'FR', pattern: code('[123478] ?\\d{2} ?\\d{2} ?(?:\\d{2}|2[AB]) ?\\d{3} ?\\d{3} ?(?:[-/] ?)?\\d{2}'), isValid: isFrench },
  {
    country: 'GB',
    pattern: code('[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z][ -]?\\d{2}[ -]?\\d{2}[ -]?\\d{2}[ -]?[A-D]'),
    isValid: (id) => !/^(?:BG|GB|NK|KN|TN|NT|ZZ)/.test(id),
  },
  { country: 'GB', pattern: number('\\d{3}[ -]?\\d{3}[ -]?\\d{4}'), isValid: isBritishHealth, words: /\bnhs\b/i },
  { country: 'GR', pattern: number('\\d{11}'), isValid: (id) => isDay(at(id, 0, 2), at(id, 2, 2)) && isLuhn(id) },
  { country: 'HR', pattern: number('\\d{11}'), isValid: isMod11Mod10, words: /\boib\b/i },
  { country: 'IE', pattern: code('\\d{7} ?[A-W][A-IW]?'), isValid: isIrish },
  { country: 'IN', pattern: number('[2-9]\\d{3} \\d{4} \\d{4}'), isValid: isVerhoeff },
  { country: 'IN', pattern: number('[2-9]\\d{3}[ -]?\\d{4}[ -]?\\d{4}'), isValid: isVerhoeff, words: /aadha+r|आधार|uidai/i },
  { country: 'IN', pattern: code('[A-Z]{3}P[A-Z]\\d{4}[A-Z]'), isValid: () => true },
  {
    country: 'IT',
    pattern: code('[A-Z]{3} ?[A-Z]{3} ?[\\dL-NP-V]{2} ?[A-EHLMPRST] ?[\\dL-NP-V]{2} ?[A-Z] ?[\\dL-NP-V]{3} ?[A-Z]'),
    isValid: isItalian,
  },
  { country: 'JP', pattern: number('\\d{4}[ -]?\\d{4}[ -]?\\d{4}'), isValid: isJapanese, words: /マイナンバー|個人番号|my ?number/i },
  { country: 'KR', pattern: number('\\d{6}-[1-8]\\d{6}'), isValid: isKoreanDate },
  { country: 'KR', pattern: number('\\d{6} ?[1-8]\\d{6}'), isValid: isKorean },
  { country: 'MX', pattern: code('[A-Z]{4}\\d{6}[HMX][A-Z]{5}[\\dA-Z]\\d'), isValid: (id) => isDay(at(id, 8, 2), at(id, 6, 2)) },
  { country: 'NL', pattern: number('\\d{4}[. ]?\\d{2}[. ]?\\d{3}'), isValid: isDutch, words: /\bbsn|burgerservice|sofi/i },
  { country: 'NL', pattern: number('\\d{4}\\.\\d{2}\\.\\d{3}'), isValid: isDutch },
  { country: 'NO', pattern: number('\\d{6}[ -]?\\d{5}'), isValid: isNorwegian },
  { country: 'PL', pattern: number('\\d{11}'), isValid: isPolish },
  { country: 'PT', pattern: number('[1-3]\\d{2} ?\\d{3} ?\\d{3}'), isValid: isPortuguese, words: /\bnif\b|contribuinte|fiscal/i },
  { country: 'RO', pattern: number('[1-9]\\d{12}'), isValid: isRomanian },
  { country: 'RU', pattern: number('\\d{3}-\\d{3}-\\d{3}[ -]\\d{2}'), isValid: isRussianInsurance },
  { country: 'RU', pattern: number('\\d{12}'), isValid: isRussianTax },
  { country: 'SE', pattern: number('(?:19|20)?\\d{6}[-+]\\d{4}'), isValid: isSwedish },
  { country: 'SE', pattern: number('(?:19|20)\\d{10}'), isValid: isSwedish },
  { country: 'SE', pattern: number('\\d{10}'), isValid: isSwedish, words: /person-?n(?:ummer|r)|samordning/i },
  { country: 'TR', pattern: number('[1-9]\\d{10}'), isValid: isTurkish },
  { country: 'US', pattern: number('\\d{3}-\\d{2}-\\d{4}'), isValid: isAmerican },
  { country: 'US', pattern: number('\\d{3}[ .]?\\d{2}[ .]?\\d{4}'), isValid: isAmerican, words: /\bssn\b|social security|\bss ?#/i },
  {
    country: 'ZA',
    pattern: number('\\d{6} ?\\d{4} ?\\d{3}'),
    isValid: (id) => isDay(at(id, 4, 2), at(id, 2, 2)) && /^.{10}[01]/.test(id) && isLuhn(id),
  },
]

function isAustrian(id: string): boolean {
  const sum = weightedSum(id, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6])
  return isDay(at(id, 4, 2), at(id, 6, 2)) && id[0] !== '0' && sum % 11 === digit(id, 3)
}

function isBelgian(id: string): boolean {
  const check = 97 - at(id, 9, 2)
  const isBorn = isMonth(at(id, 2, 2), 20, 40) && at(id, 4, 2) <= 31
  return isBorn && (remainder(id.slice(0, 9), 97) === check || remainder(`2${id.slice(0, 9)}`, 97) === check)
}

function isBulgarian(id: string): boolean {
  return (
    isMonth(at(id, 2, 2), 20, 40) && isDay(at(id, 4, 2), 1) && (weightedSum(id, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10 === digit(id, 9)
  )
}

function isBrazilian(id: string): boolean {
  const check = (length: number): number =>
    ((weightedSum(
      id,
      Array.from({ length }, (_, index) => length + 1 - index),
    ) *
      10) %
      11) %
    10
  return !isRepeated(id) && check(9) === digit(id, 9) && check(10) === digit(id, 10)
}

function isSwiss(id: string): boolean {
  return weightedSum(id, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0
}

function isChilean(id: string): boolean {
  const body = id.slice(0, -1).padStart(8, '0')
  return '0K987654321'[weightedSum(body, [3, 2, 7, 6, 5, 4, 3, 2]) % 11] === id.at(-1)
}

function isChinese(id: string): boolean {
  const sum = weightedSum(id, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2])
  return /^(?:18|19|20)/.test(id.slice(6)) && isDay(at(id, 12, 2), at(id, 10, 2)) && '10X98765432'[sum % 11] === id[17]
}

function isCzech(id: string): boolean {
  return (
    isMonth(at(id, 2, 2), 20, 50, 70) &&
    isDay(at(id, 4, 2), 1) &&
    (remainder(id, 11) === 0 || (remainder(id.slice(0, 9), 11) === 10 && id[9] === '0'))
  )
}

/** One digit of the first ten stands there twice or three times, at least one is missing. */
function isGermanTaxId(id: string): boolean {
  const counts = [...'0123456789'].map((one) => id.slice(0, 10).split(one).length - 1)
  const repeated = counts.filter((count) => count > 1)
  return repeated.length === 1 && (repeated[0] === 2 || repeated[0] === 3) && isMod11Mod10(id)
}

function isGermanInsurance(id: string): boolean {
  const letter = String(id.charCodeAt(8) - 64).padStart(2, '0')
  const digits = `${id.slice(0, 8)}${letter}${id.slice(9, 11)}`
  const sum = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1].reduce((total, weight, index) => {
    const product = weight * digit(digits, index)
    return total + Math.floor(product / 10) + (product % 10)
  }, 0)
  return isDay(at(id, 2, 2) % 50 || 1, at(id, 4, 2)) && sum % 10 === digit(id, 11)
}

function isDanish(id: string): boolean {
  return isDay(at(id, 0, 2), at(id, 2, 2))
}

/** Estonia and Lithuania have the same form. */
function isBaltic(id: string): boolean {
  const first = weightedSum(id, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11
  const check = first < 10 ? first : (weightedSum(id, [3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11) % 10
  return isDay(at(id, 5, 2), at(id, 3, 2)) && check === digit(id, 10)
}

function isSpanish(id: string): boolean {
  const digits = id.replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter))).slice(0, -1)
  return 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(digits) % 23] === id.at(-1)
}

function isFinnish(_: string, written: string): boolean {
  const digits = written.slice(0, 6) + written.slice(7, 10)
  return isDay(at(digits, 0, 2), at(digits, 2, 2)) && '0123456789ABCDEFHJKLMNPRSTUVWXY'[Number(digits) % 31] === written[10]?.toUpperCase()
}

function isFrench(id: string): boolean {
  const month = at(id, 3, 2)
  const digits = id.replace(/^(.{5})2([AB])/, (_, start: string, letter: string) => start + (letter === 'A' ? '19' : '18'))
  return month >= 1 && (month <= 12 || month >= 20) && 97 - remainder(digits.slice(0, 13), 97) === at(id, 13, 2)
}

function isBritishHealth(id: string): boolean {
  return weightedSum(id, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0 && !isRepeated(id)
}

function isIrish(id: string): boolean {
  const extra = id.length > 8 && id[8] !== 'W' ? (id.charCodeAt(8) - 64) * 9 : 0
  return 'WABCDEFGHIJKLMNOPQRSTUV'[(weightedSum(id, [8, 7, 6, 5, 4, 3, 2]) + extra) % 23] === id[7]
}

/** Values of digits and letters at odd positions. */
const ITALIAN_ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]

function isItalian(id: string): boolean {
  const sum = Array.from(id.slice(0, 15)).reduce((total, character, index) => {
    const value = /\d/.test(character) ? Number(character) : character.charCodeAt(0) - 65
    return total + (index % 2 === 0 ? (ITALIAN_ODD[value] ?? 0) : value)
  }, 0)
  return sum % 26 === id.charCodeAt(15) - 65
}

function isJapanese(id: string): boolean {
  const rest = weightedSum(id, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11
  return (rest <= 1 ? 0 : 11 - rest) === digit(id, 11)
}

/** Numbers since 2020 have no check digit. */
function isKoreanDate(id: string): boolean {
  return isDay(at(id, 4, 2), at(id, 2, 2))
}

function isKorean(id: string): boolean {
  return isKoreanDate(id) && (11 - (weightedSum(id, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) % 11)) % 10 === digit(id, 12)
}

function isDutch(id: string): boolean {
  return !isRepeated(id) && weightedSum(id, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0
}

function isNorwegian(id: string): boolean {
  const isBorn = isDay(at(id, 0, 2) % 40, 1) && isMonth(at(id, 2, 2), 40, 80)
  return (
    isBorn && weightedSum(id, [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]) % 11 === 0 && weightedSum(id, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0
  )
}

function isPolish(id: string): boolean {
  const isBorn = isMonth(at(id, 2, 2), 20, 40, 60, 80) && isDay(at(id, 4, 2), 1)
  return isBorn && weightedSum(id, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0
}

function isPortuguese(id: string): boolean {
  const rest = weightedSum(id, [9, 8, 7, 6, 5, 4, 3, 2]) % 11
  return (rest < 2 ? 0 : 11 - rest) === digit(id, 8)
}

/** A remainder of 10 is written as 1. */
function isRomanian(id: string): boolean {
  const rest = weightedSum(id, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11
  return isDay(at(id, 5, 2), at(id, 3, 2)) && (rest === 10 ? 1 : rest) === digit(id, 12)
}

function isRussianInsurance(id: string): boolean {
  return (weightedSum(id, [9, 8, 7, 6, 5, 4, 3, 2, 1]) % 101) % 100 === at(id, 9, 2)
}

function isRussianTax(id: string): boolean {
  const first = (weightedSum(id, [7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) % 11) % 10
  const second = (weightedSum(id, [3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) % 11) % 10
  return !isRepeated(id) && first === digit(id, 10) && second === digit(id, 11)
}

function isSwedish(id: string): boolean {
  const short = digitsOf(id).slice(-10)
  return isDay(at(short, 4, 2) % 60, at(short, 2, 2)) && isLuhn(short)
}

function isTurkish(id: string): boolean {
  const odd = weightedSum(id, [1, 0, 1, 0, 1, 0, 1, 0, 1])
  const even = weightedSum(id, [0, 1, 0, 1, 0, 1, 0, 1])
  const sum = weightedSum(id, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1])
  return (odd * 7 - even + 100) % 10 === digit(id, 9) && sum % 10 === digit(id, 10)
}

function isAmerican(id: string): boolean {
  return !/^(?:000|666|9)/.test(id) && !/^.{3}00/.test(id) && !id.endsWith('0000') && !isRepeated(id)
}
