interface Element {
  name: string
  attributes: Readonly<Record<string, string>>
  children: (Element | string)[]
}

/** Classes of elements that KaTeX and MathJax draw; the formula is in them. */
const DRAWN = /(?:^|\s)(?:katex|mjx-chtml|MathJax\w*)(?:\s|$)/
const PICTURE = /(?:^|\s)(?:latex|tex|mwe-math-\S+)(?:\s|$)/
/** A description in words has none of it. */
const TEX = /[\\^_={}]|^\S+$/

/** Whether an element is a formula, or what one is drawn as. */
export function isFormula(element: Element): boolean {
  return element.name === 'math' || isDrawn(element) || (element.name === 'img' && PICTURE.test(element.attributes['class'] ?? ''))
}

/** Puts TeX in the place of a formula that is in no other one; call it once its children are read. */
export function readFormula(element: Element): void {
  if (isDrawn(element)) {
    const formulas = formulasIn(element)
    if (formulas.length > 0) element.children = formulas
    return
  }
  const tex = element.name === 'math' ? texOf(element) : (element.attributes['alt'] ?? '')
  if (element.name === 'math' || TEX.test(tex)) Object.assign(element, { name: 'span', children: [marked(tex)] })
}

const isDrawn = ({ name, attributes: { class: names = '' } }: Element): boolean =>
  DRAWN.test(names) && (/^(?:span|mjx-container)$/.test(name) || (name === 'div' && names.includes('MathJax')))

function formulasIn({ children }: Element): string[] {
  return children.flatMap((child) => {
    if (typeof child === 'string') return []
    return child.name === 'math' ? marked(texOf(child)) : formulasIn(child)
  })
}

/** TeX as the chat page draws it within a line. */
function marked(tex: string): string {
  const text = tex
    .replace(/^\s*\{\\displaystyle\s(.*)\}\s*$/s, '$1')
    .replace(/\s+/g, ' ')
    .trim()
  return text === '' ? '' : `\\(${text}\\)`
}

/** TeX that the page states for a formula, else what its elements mean. */
function texOf(math: Element): string {
  const alternative = math.attributes['alttext'] ?? ''
  return annotationIn(math) ?? (TEX.test(alternative) ? alternative : writtenTex(math))
}

function annotationIn({ children }: Element): string | undefined {
  const isTex = ({ name, attributes: { encoding = '' } }: Element) => name === 'annotation' && /tex(?!t)/i.test(encoding)
  return children.flatMap((child) => (typeof child === 'string' ? [] : isTex(child) ? writtenTex(child) : (annotationIn(child) ?? [])))[0]
}

/** TeX of MathML, https://www.w3.org/TR/mathml-core/. */
function writtenTex({ name, children }: Element): string {
  const parts = children.flatMap((child) => {
    if (typeof child === 'string')
      return child.trim() === '' ? [] : name === 'annotation' ? child : child.trim().replace(/[%{}&#_]/g, '\\$&')
    return child.name.startsWith('annotation') ? [] : writtenTex(child)
  })
  const [first = '', second = '', third = ''] = parts
  if (name === 'mfrac') return `\\frac{${first}}{${second}}`
  if (name === 'msqrt') return `\\sqrt{${parts.join('')}}`
  if (name === 'mroot') return `\\sqrt[${second}]{${first}}`
  if (name === 'msup' || name === 'mover') return `{${first}}^{${second}}`
  if (name === 'msub' || name === 'munder') return `{${first}}_{${second}}`
  if (name === 'msubsup' || name === 'munderover') return `{${first}}_{${second}}^{${third}}`
  if (name === 'mtext') return `\\text{${parts.join(' ')}}`
  if (name === 'mtable') return `\\begin{matrix}${parts.join(' \\\\ ')}\\end{matrix}`
  return parts.join(name === 'mtr' ? ' & ' : '')
}
