/** `${NAME}`, a variable of the environment, as in files of other programs. */
const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g

/** Replaces `${NAME}` in all texts of a value from the environment, and returns the missing names. */
export function fillIn(value: unknown, variable: (name: string) => string | undefined): { filled: unknown; missing: string[] } {
  const missing = new Set<string>()
  const filled = mapTexts(value, (text) =>
    text.replaceAll(VARIABLE, (_, name: string) => {
      const found = variable(name)
      if (found === undefined) missing.add(name)
      return found ?? ''
    }),
  )
  return { filled, missing: [...missing] }
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]))
}
