const LARGEST_PLAIN = 1e15
const SMALLEST_PLAIN = 1e-6
const SIGNIFICANT_DIGITS = 12

/** Formats a number for people: with thousands separators and without binary rounding errors (0.1 + 0.2 is 0.3). */
export function formatNumber(value: number): string {
  const size = Math.abs(value)
  if (value !== 0 && (size >= LARGEST_PLAIN || size < SMALLEST_PLAIN)) return String(Number(value.toPrecision(SIGNIFICANT_DIGITS)))
  if (Number.isInteger(value)) return value.toLocaleString('en-US')
  return Number(value.toPrecision(SIGNIFICANT_DIGITS)).toLocaleString('en-US', { maximumSignificantDigits: SIGNIFICANT_DIGITS })
}
