/** Prefixes of namespaces (`functions.`), and what models of the harmony format and Kimi write behind a name. */
const NAMESPACE = /^(?:[\w-]+[.:])+/
const SUFFIX = /\s*(?:<\|.*|:\d+)$/s

/** The offered tool that a model means by a name; `null` if none. */
export function offeredName(written: string, offered: readonly string[]): string | null {
  const name = written.trim()
  const withoutSuffix = name.replace(SUFFIX, '')
  return [name, withoutSuffix, withoutSuffix.replace(NAMESPACE, '')].find((one) => offered.includes(one)) ?? null
}
