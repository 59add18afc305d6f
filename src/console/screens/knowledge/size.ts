import { useLanguage } from '../../../ui/language/language.ts'

export function sizeOf(bytes: number): string {
  const [value, unit] = inUnits(bytes)
  return new Intl.NumberFormat(useLanguage.getState().locale, {
    style: 'unit',
    unit,
    unitDisplay: unit === 'byte' ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(value)
}

function inUnits(bytes: number): [value: number, unit: string] {
  if (bytes < 1024) return [bytes, 'byte']
  return bytes < 1024 * 1024 ? [bytes / 1024, 'kilobyte'] : [bytes / 1024 / 1024, 'megabyte']
}
