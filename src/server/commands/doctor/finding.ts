/** Result of a check. `change` says what the operator should do. */
export interface Finding {
  /** One word, such as `proxy`. */
  area: string
  verdict: 'ok' | 'warning' | 'problem' | 'skipped'
  text: string
  change?: string
}

export function findingsOf(area: string) {
  return {
    ok: (text: string): Finding => ({ area, verdict: 'ok', text }),
    skipped: (text: string): Finding => ({ area, verdict: 'skipped', text }),
    warning: (text: string, change: string): Finding => ({ area, verdict: 'warning', text, change }),
    problem: (text: string, change: string): Finding => ({ area, verdict: 'problem', text, change }),
  }
}

/** The findings of a check; `ok`, if it is given, where there are none. */
export async function allOf(findings: Iterable<Finding> | AsyncIterable<Finding>, ok?: Finding): Promise<Finding[]> {
  const all: Finding[] = []
  for await (const finding of findings) all.push(finding)
  return ok && all.length === 0 ? [ok] : all
}

export function printed(findings: readonly Finding[]): string {
  return findings
    .map(({ area, verdict, text, change }) => {
      const line = `${verdict.padEnd(8)} ${area.padEnd(12)} ${text}\n`
      return change === undefined ? line : `${line}${' '.repeat(22)}→ ${change}\n`
    })
    .join('')
}
