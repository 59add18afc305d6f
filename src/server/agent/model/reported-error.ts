/** The fields in which providers name an error; anything longer is prose. */
const FIELDS = ['type', 'code', 'status', 'param']
const WORD = /^[\w.:[\]/-]{1,64}$/

/**
 * What may be logged of an error that a provider reports, given as JSON or as its text: the words that name it, like
 * `type invalid_request_error, code model_not_found`. Never its sentence, which may quote the conversation or a key.
 */
export function describeReportedError(reported: unknown): string {
  const value = typeof reported === 'string' ? parsed(reported) : reported
  const error = fieldOf(value, 'error') ?? value
  const words = FIELDS.flatMap((name) => {
    const word = fieldOf(error, name)
    return (typeof word === 'string' || typeof word === 'number') && WORD.test(String(word)) ? [`${name} ${word}`] : []
  })
  return words.length > 0 ? words.join(', ') : 'no further reason that may be logged'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}
