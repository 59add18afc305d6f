import type { Tokenizer } from 'marked'
import { addDiagrams } from './diagram-marks.ts'
import { addFootnotes } from './footnote-marks.ts'
import { addFormulas, FORMULA, holdFormula } from './formula-marks.ts'
import { completeMarkdown, isInsideFence, tailStart } from './growing-markdown.ts'

/** Teaches a tokenizer formulas, footnotes and diagrams. */
export function extend(tokenizer: Tokenizer): void {
  addFormulas(tokenizer)
  addFootnotes(tokenizer)
  addDiagrams(tokenizer)
}

const FORMULAS = new RegExp(`(\`+)(?!\`)[^\n]*?[^\`]\\1(?!\`)|${FORMULA}`, 'gu')
/** Stands for a formula while the marks around it are completed; of no meaning in Unicode. */
const PLACEHOLDER = '\uE000'

/** `completeMarkdown`, which keeps out of formulas, and leaves out one that is not complete. */
export function complete(source: string): string {
  if (isInsideFence(source)) return completeMarkdown(source)
  const start = tailStart(source)
  const aside: string[] = []
  // Code is set aside too: what looks like a formula in it is none.
  const tail = source
    .slice(start)
    .replaceAll(PLACEHOLDER, '')
    .replaceAll(FORMULAS, (found) => {
      aside.push(found)
      return PLACEHOLDER
    })
  return completeMarkdown(source.slice(0, start) + holdFormula(tail)).replaceAll(PLACEHOLDER, () => aside.shift() ?? '')
}
