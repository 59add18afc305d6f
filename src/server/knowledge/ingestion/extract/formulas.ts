interface MathElement {
  /** As in MathML, https://www.w3.org/TR/mathml-core/. */
  name: string
  children: readonly (MathElement | string)[]
}

interface Element extends MathElement {
  attributes: Readonly<Record<string, string>>
  children: (Element | string)[]
}

const PICTURE = /(?:^|[\s-])(?:latex|tex|math)(?:[\s-]|$)/
const FORMULA = /^ \$\$.*\$\$ $/
/** What KaTeX and MathJax draw, with the formula in it, or in a script behind. */
const DRAWN = /(?:^|\s)(?:katex|MathJax\w*)(?:\s|$)/

/** Puts TeX between two dollars, as the chat page draws it, in the place of an element that is a formula. Call it once its children are read. */
export function readFormula(element: Element): void {
  const { name, attributes } = element
  const isPicture = name === 'img' && PICTURE.test(attributes['class'] ?? '')
  if (name === 'math' || isPicture)
    Object.assign(element, {
      name: 'span',
      children: [marked(isPicture ? (attributes['alt'] ?? '') : (statedTex(element) ?? texOf(element)))],
    })
  const formulas = isDrawn(element) ? formulasIn(element) : []
  if (formulas.length > 0) element.children = formulas
}

/** Adds the formula of a `math/tex` script, instead of what it has drawn before itself. */
export function addFormula(parent: Element, tex: string): void {
  const before = parent.children.findLastIndex((child) => (typeof child === 'string' ? child.trim() !== '' : !isDrawn(child)))
  parent.children.splice(before + 1)
  parent.children.push(marked(tex))
}

const isDrawn = ({ attributes }: Element): boolean => DRAWN.test(attributes['class'] ?? '')

function formulasIn({ children }: Element): string[] {
  return children.flatMap((child) => (typeof child === 'string' ? (FORMULA.test(child) ? child : []) : formulasIn(child)))
}

function marked(tex: string): string {
  const text = tex
    .replace(/^\s*\{\\displaystyle\s(.*)\}\s*$/s, '$1')
    .replace(/\s+/g, ' ')
    .trim()
  return text === '' ? '' : ` $$${text}$$ `
}

/** What the author wrote. */
function statedTex({ attributes, children }: Element): string | undefined {
  const isTex = ({ name, attributes: { encoding = '' } }: Element) => name === 'annotation' && /tex/i.test(encoding)
  const texIn = (child: Element) => (isTex(child) ? texOf(child) : (statedTex(child) ?? []))
  return attributes['alttext'] ?? children.flatMap((child) => (typeof child === 'string' ? [] : texIn(child)))[0]
}

/** Without it, a half would read as "12". */
export function texOf({ name, children }: MathElement): string {
  const parts = children.flatMap((child) =>
    typeof child === 'string' ? child.trim() : child.name.startsWith('annotation') ? [] : texOf(child),
  )
  const [first = '', second = '', third = ''] = parts.filter((part) => part !== '')
  if (name === 'mfrac') return `\\frac{${first}}{${second}}`
  if (name === 'msqrt') return `\\sqrt{${parts.join('')}}`
  if (name === 'mroot') return `\\sqrt[${second}]{${first}}`
  if (name === 'msup' || name === 'mover') return `{${first}}^{${second}}`
  if (name === 'msub' || name === 'munder') return `{${first}}_{${second}}`
  if (name === 'msubsup' || name === 'munderover') return `{${first}}_{${second}}^{${third}}`
  if (name === 'mtext') return `\\text{${parts.join(' ')}}`
  return parts.join(name === 'mtr' ? ' & ' : name === 'mtable' ? ' \\\\ ' : '')
}
