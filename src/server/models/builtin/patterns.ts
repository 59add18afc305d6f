const cache = new Map<string, RegExp>()

/**
 * The regular expression of a pattern with `{X}` tokens: for a `whole` text, or for a `word` of it. Compiled once; patterns are data of the
 * rules, so that there are not many.
 */
export function compiled(pattern: string, tokens: Readonly<Record<string, string>>, mode: 'whole' | 'word' = 'whole'): RegExp {
  const key = `${mode} ${pattern}`
  const known = cache.get(key)
  if (known) {
    known.lastIndex = 0
    return known
  }
  const source = pattern.replace(/\{(\w+)\}/g, (token, name: string) => tokens[name] ?? token)
  const regex =
    mode === 'whole' ? new RegExp(`^(?:${source})$`, 'iu') : new RegExp(String.raw`(?<![\p{L}\d])(?:${source})(?![\p{L}])`, 'giu')
  cache.set(key, regex)
  return regex
}

/** The text without leads and closings, which are alternatives of a regular expression, as often as they are there, and without marks at its ends. */
export function trimmedBy(text: string, leads: string, closings: string): string {
  let trimmed = withoutMarks(text)
  if (leads !== '') trimmed = trimmed.replace(compiledLead(leads), '')
  if (closings === '') return trimmed
  for (let round = 0; round < MAX_CLOSINGS; round += 1) {
    const shorter = withoutMarks(trimmed.replace(compiledClosing(closings), ''))
    if (shorter === trimmed) break
    trimmed = shorter
  }
  return trimmed
}

const MAX_CLOSINGS = 3
const MAX_LEADS = 5

function withoutMarks(text: string): string {
  return text
    .replace(/^[\s¿¡,;:.!…-]+(?=\D)/u, '')
    .replace(/[\s?!.…,;:¿¡？！。]+$/u, '')
    .trim()
}

function compiledLead(leads: string): RegExp {
  const key = `lead ${leads}`
  const known = cache.get(key) ?? new RegExp(String.raw`^(?:(?:${leads})(?![\p{L}\d'])[,!:;.?…]*\s*){1,${MAX_LEADS}}`, 'iu')
  cache.set(key, known)
  return known
}

function compiledClosing(closings: string): RegExp {
  const key = `closing ${closings}`
  const known = cache.get(key) ?? new RegExp(String.raw`[\s,]+(?:${closings})$`, 'iu')
  cache.set(key, known)
  return known
}
