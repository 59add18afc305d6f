import type { PersonalDataMatch } from './kinds.ts'
import { PLACEHOLDER, type PlaceholderValues } from './unmask.ts'

export interface MaskedText {
  text: string
  values: PlaceholderValues
}

/** Replaces matches by placeholders. A value in `known` keeps its placeholder; new ones get numbers that neither `known` nor `texts` have. */
export function mask(
  text: string,
  found: readonly PersonalDataMatch[],
  known: PlaceholderValues = {},
  texts: readonly string[] = [],
): MaskedText {
  if (found.length === 0) return { text, values: known }
  const values: Record<string, string> = { ...known }
  const placeholders = new Map(Object.entries(known).map(([placeholder, value]) => [keyOf(labelOf(placeholder), value), placeholder]))
  const used = numbersIn([text, ...Object.keys(known), ...texts])
  let masked = ''
  let position = 0
  for (const { kind, start, end } of found) {
    const label = kind.replace('_', ' ')
    const key = keyOf(label, text.slice(start, end))
    const number = used[label] ?? 0
    const placeholder = placeholders.get(key) ?? `[${label} ${number + 1}]`
    if (!placeholders.has(key)) used[label] = number + 1
    placeholders.set(key, placeholder)
    values[placeholder] ??= text.slice(start, end)
    masked += text.slice(position, start) + placeholder
    position = end
  }
  return { text: masked + text.slice(position), values }
}

const labelOf = (placeholder: string): string => placeholder.slice(1, placeholder.lastIndexOf(' '))

/** The same number in another spelling is the same value. */
const keyOf = (label: string, value: string): string =>
  `${label} ${
    label === 'address'
      ? value
      : value
          .normalize('NFKC')
          .replace(/[\p{Default_Ignorable_Code_Point}\s.,()/·•*|-]/gu, '')
          .toLowerCase()
  }`

function numbersIn(texts: readonly string[]): Record<string, number> {
  const highest: Record<string, number> = {}
  for (const text of texts) {
    for (const { 0: placeholder, 1: number } of text.matchAll(PLACEHOLDER)) {
      const label = labelOf(placeholder)
      highest[label] = Math.max(highest[label] ?? 0, Number(number))
    }
  }
  return highest
}
