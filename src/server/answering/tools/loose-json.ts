import { parse } from 'yaml'

const FENCED = /^\s*```\w*\s*([^]*?)\s*```\s*$/

/**
 * The object that a model means by a text: JSON, possibly in a code block, in a string of JSON, with commas too many or other quotes.
 * `null` if the text is no object.
 */
export function looseObject(text: string): Record<string, unknown> | null {
  const value = looseValue(text.replace(FENCED, '$1'))
  if (typeof value === 'string' && value.trimStart().startsWith('{')) return looseObject(value)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null
}

/** The value of a text that is nearly JSON; `undefined` if it is something else. YAML accepts what is usually wrong with it. */
export function looseValue(text: string): unknown {
  try {
    return parse(text.trim(), { maxAliasCount: 0, logLevel: 'silent' })
  } catch {
    return undefined
  }
}
