import { comparablePath } from '../page-address.ts'

/** The name that sites can address in robots.txt, and that requests carry. */
export const USER_AGENT = 'ParleyBot'
/** Longer delays would make a run last for days. */
const MAX_DELAY_S = 60
/** RFC 9309, section 2.5: what is longer is ignored. */
const MAX_CHARACTERS = 500 * 1024

interface Rule {
  /** Parts of a path in their order, the first at its beginning. */
  pieces: readonly string[]
  /** Whether the last piece ends the path. */
  isWhole: boolean
  length: number
  allows: boolean
}

/** Rules of a site's robots.txt for `USER_AGENT`. */
export interface Robots {
  rules: readonly Rule[]
  delayS: number
  sitemaps: readonly string[]
}

interface Group {
  rules: Map<string, boolean>
  delayS: number
}

/** Reads a robots.txt in time linear in its length: RFC 9309. */
export function readRobots(text: string): Robots {
  const named: Group = { rules: new Map(), delayS: 0 }
  const others: Group = { rules: new Map(), delayS: 0 }
  const sitemaps: string[] = []
  let groups = new Set<Group>()
  let isNaming = false
  let isNamed = false
  for (const line of text.slice(0, MAX_CHARACTERS).split(/\r\n?|\n/)) {
    const [, name = '', rest = ''] = /^\s*([\w-]+)\s*:([^#]*)/.exec(line) ?? []
    const key = name.toLowerCase()
    const value = rest.trim()
    if (key === 'user-agent') {
      if (!isNaming) groups = new Set()
      isNaming = true
      if (value === '*') groups.add(others)
      if (/^[a-z_-]*/i.exec(value)?.[0].toLowerCase() !== USER_AGENT.toLowerCase()) continue
      groups.add(named)
      isNamed = true
    } else if (key === 'sitemap') sitemaps.push(value)
    else if (key === 'allow' || key === 'disallow' || key === 'crawl-delay') {
      isNaming = false
      for (const group of groups)
        if (key === 'crawl-delay') group.delayS = Math.min(MAX_DELAY_S, Math.max(0, Number(value) || 0))
        else if (value !== '') group.rules.set(value, key === 'allow' || group.rules.get(value) === true)
    }
  }
  const { rules, delayS } = isNamed ? named : others
  return { rules: [...rules].map(ruleOf), delayS, sitemaps }
}

function ruleOf([pattern, allows]: [string, boolean]): Rule {
  const isWhole = pattern.endsWith('$')
  const compared = comparablePath(isWhole ? pattern.slice(0, -1) : pattern).replaceAll('$', '%24')
  return { pieces: compared.split('*'), isWhole, length: compared.length, allows }
}

/** Whether the longest rule that matches allows the page; of two equally long ones, the one that allows counts. */
export function isAllowed({ rules }: Pick<Robots, 'rules'>, address: string): boolean {
  const { pathname, search } = new URL(address)
  const path = comparablePath(pathname + search)
    .replaceAll('*', '%2A')
    .replaceAll('$', '%24')
  let longest = 0
  let allowed = true
  for (const rule of rules) {
    if (rule.length < longest || (rule.length === longest && allowed) || !matches(rule, path)) continue
    longest = rule.length
    allowed = rule.allows
  }
  return allowed
}

function matches({ pieces: [first = '', ...pieces], isWhole }: Rule, path: string): boolean {
  if (!path.startsWith(first)) return false
  let at = first.length
  const last = isWhole ? pieces.pop() : undefined
  for (const piece of pieces) {
    const found = path.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  if (!isWhole) return true
  return last === undefined ? at === path.length : path.endsWith(last) && path.length - last.length >= at
}
