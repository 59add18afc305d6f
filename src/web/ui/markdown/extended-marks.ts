import type { Tokenizer } from 'marked'
import { addDiagrams } from './diagram-marks.ts'
import { addFootnotes } from './footnote-marks.ts'
import { addFormulas, FORMULA, hideIncompleteFormula } from './formula-marks.ts'
import { completeMarkdown, isInsideFence, tailStart } from './streaming-markdown.ts'

/** Adds formulas, footnotes and diagrams to a tokenizer. */
export function extend(tokenizer: Tokenizer): void {
  addFormulas(tokenizer)
  addFootnotes(tokenizer)
  addDiagrams(tokenizer)
}

const FORMULAS = new RegExp(`(\`+)(?!\`)[^\n]*?[^\`]\\1(?!\`)|${FORMULA}`, 'gu')
/** Placeholder for a formula while marks are completed; a private-use character. */
const PLACEHOLDER = '\uE000'

/** Like `completeMarkdown`, but leaves formulas alone and hides an incomplete one. */
export function complete(source: string): string {
  if (isInsideFence(source)) return completeMarkdown(source)
  const start = tailStart(source)
  const aside: string[] = []
  // Code is replaced too, because it may look like a formula.
  const tail = source
    .slice(start)
    .replaceAll(PLACEHOLDER, '')
    .replaceAll(FORMULAS, (found) => {
      aside.push(found)
      return PLACEHOLDER
    })
  return completeMarkdown(source.slice(0, start) + hideIncompleteFormula(tail)).replaceAll(PLACEHOLDER, () => aside.shift() ?? '')
}
