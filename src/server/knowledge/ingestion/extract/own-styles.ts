const MAX_CHARACTERS = 100_000
const HIDES = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i
const STRIKES = /text-decoration(?:-line)?\s*:[^;]*line-through/i
const SHOWS = /(?:^|[;\s])(?:display\s*:\s*(?!none)|visibility\s*:\s*visible)/i
interface Styled {
  attributes: Readonly<Record<string, string>>
  children: (Styled | string)[]
}

/** A class or an id, alone or with the name of the element. */
const SIMPLE = /^[\w-]*([.#][\w-]+)$/

/**
 * Copies what a page's own style sheets hide or strike out into the `style` of the elements. Only rules for one class or id count; where
 * another rule shows the same class, on some screens or once a script has changed it, nothing is hidden.
 */
export function applyOwnStyles(root: Styled, sheets: string): void {
  const marks = marksIn(sheets.slice(0, MAX_CHARACTERS))
  if (marks.size > 0) markBelow(root, marks)
}

function markBelow(parent: Styled, marks: ReadonlyMap<string, string>): void {
  for (const child of parent.children) {
    if (typeof child === 'string') continue
    const { class: classes = '', id, style = '' } = child.attributes
    const names = [...classes.split(/\s+/).map((name) => `.${name}`), `#${id}`]
    const added = names.flatMap((name) => marks.get(name) ?? [])
    if (added.length > 0) child.attributes = { ...child.attributes, style: [style, ...added].join(';') }
    markBelow(child, marks)
  }
}

/** Declarations by class or id. */
function marksIn(sheets: string): Map<string, string> {
  const hidden = new Set<string>()
  const struck = new Set<string>()
  const shown = new Set<string>()
  for (const { selector, body, isTop } of rulesOf(sheets))
    for (const part of selector.split(',')) {
      const name = isTop ? SIMPLE.exec(part.trim())?.[1] : undefined
      if (name !== undefined && HIDES.test(body)) hidden.add(name)
      if (name !== undefined && STRIKES.test(body)) struck.add(name)
      if (SHOWS.test(body)) for (const one of part.match(/[.#][\w-]+/g) ?? []) shown.add(one)
    }
  const kept = [...hidden].filter((name) => !shown.has(name))
  return new Map([
    ...kept.map((name) => [name, 'display:none'] as const),
    ...[...struck].map((name) => [name, 'text-decoration:line-through'] as const),
  ])
}

interface Rule {
  selector: string
  body: string
  /** Whether it holds on every screen, outside of `@media`. */
  isTop: boolean
}

/** The rules without others in them, in linear time. */
function* rulesOf(sheets: string): Generator<Rule> {
  const [first = '', ...commented] = sheets.split('/*')
  const text = first + commented.map((part) => (part.includes('*/') ? part.slice(part.indexOf('*/') + 2) : '')).join('')
  let depth = 0
  let end = 0
  let last: { selector: string; from: number } | null = null
  for (const { 0: sign, index } of text.matchAll(/[{};]/g)) {
    if (sign === ';' && last) continue
    if (sign === '}' && last) yield { selector: last.selector, body: text.slice(last.from, index), isTop: depth === 1 }
    last = sign === '{' ? { selector: text.slice(end, index).trim(), from: index + 1 } : null
    if (sign !== ';') depth = Math.max(0, depth + (sign === '{' ? 1 : -1))
    end = index + 1
  }
}
