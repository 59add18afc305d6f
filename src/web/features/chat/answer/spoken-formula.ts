/** Symbols for commands of TeX that have no readable name. */
const SYMBOLS: Readonly<Record<string, string>> = {
  cdot: '·',
  times: '×',
  div: '÷',
  pm: '±',
  le: '≤',
  leq: '≤',
  ge: '≥',
  geq: '≥',
  ne: '≠',
  neq: '≠',
  approx: '≈',
  to: '→',
  rightarrow: '→',
  Rightarrow: '⇒',
  infty: '∞',
  sqrt: '√',
  sum: '∑',
  prod: '∏',
  int: '∫',
  partial: '∂',
  in: '∈',
  pi: 'π',
  alpha: 'α',
  beta: 'β',
  gamma: 'γ',
  delta: 'δ',
  Delta: 'Δ',
  lambda: 'λ',
  mu: 'μ',
  sigma: 'σ',
  theta: 'θ',
  omega: 'ω',
}
/** Commands that only change how a formula looks. */
const LAYOUT =
  /\\(?:left|right|[bB]igg?[lr]?|displaystyle|textstyle|mathrm|mathbf|mathit|mathbb|mathcal|text(?:bf|it|rm)?|operatorname|quad|qquad|limits|nonumber|(?:begin|end)\s{0,3}\{[^{}]{0,30}\})(?![A-Za-z])/g
const FRACTION = /\\[dt]?frac\s{0,3}\{([^{}]{0,200})\}\s{0,3}\{([^{}]{0,200})\}/g
const MAX_NESTED_FRACTIONS = 4
const SIMPLE = /^[\p{L}\p{N}\\]*$/u

/** A formula in TeX as text to read aloud: fractions with a slash, symbols, and no marks of TeX. */
export function spokenFormula(tex: string): string {
  let text = tex.replace(LAYOUT, ' ')
  for (let depth = 0; depth < MAX_NESTED_FRACTIONS && text.includes('frac'); depth += 1) {
    text = text.replace(FRACTION, (_, above: string, below: string) => `${grouped(above)} / ${grouped(below)}`)
  }
  return text
    .replace(/\\([A-Za-z]{1,30})/g, (_, command: string) => ` ${SYMBOLS[command] ?? command} `)
    .replace(/\\./g, ' ')
    .replace(/[{}&$\\]/g, ' ')
    .replace(/[ \t\n]+/g, ' ')
    .trim()
}

const grouped = (text: string) => (SIMPLE.test(text.trim()) ? text.trim() : `(${text.trim()})`)
