export const digitsOf = (text: string): string => text.replace(/\D/g, '')

export function weightedSum(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0)
}

export function isLuhn(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index])
    sum += index % 2 === 0 ? digit : digit < 5 ? digit * 2 : digit * 2 - 9
  }
  return sum % 10 === 0
}

/** The remainder of a number of any length by a divisor below 10,000. */
export function remainder(digits: string, divisor: number): number {
  let rest = 0
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % divisor
  return rest
}

/** ISO 7064, mod 11,10. */
export function isMod11Mod10(digits: string): boolean {
  let product = 10
  for (const digit of digits.slice(0, -1)) product = (((Number(digit) + product) % 10 || 10) * 2) % 11
  return (11 - product) % 10 === Number(digits.at(-1))
}

const VERHOEFF_PRODUCT = [
  '0123456789',
  '1234067895',
  '2340178956',
  '3401289567',
  '4012395678',
  '5987604321',
  '6598710432',
  '7659821043',
  '8765932104',
  '9876543210',
]
const VERHOEFF_PERMUTATION = [
  '0123456789',
  '1576283094',
  '5803796142',
  '8916043527',
  '9453126870',
  '4286573901',
  '2793806415',
  '7046913258',
]

export function isVerhoeff(digits: string): boolean {
  let check = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index])
    check = Number(VERHOEFF_PRODUCT[check]?.[Number(VERHOEFF_PERMUTATION[index % 8]?.[digit])])
  }
  return check === 0
}

export const isDay = (day: number, month: number): boolean => day >= 1 && day <= 31 && month >= 1 && month <= 12

/** Whether the two digits of a month are one after the offset that a country adds for centuries or test data. */
export const isMonth = (month: number, ...offsets: readonly number[]): boolean =>
  [0, ...offsets].some((offset) => month > offset && month <= offset + 12)
