/** Words of one element that are marked; more would be a wall. */
const MAX_MARKS = 500
const NAME = 'found'

/**
 * Marks words, as they are written, wherever they stand in an element, and nothing elsewhere any more: by the browser's highlights
 * (`::highlight(found)`), which change nothing in the document. Gives what the first of them stands in, of what is shown.
 */
export function markWords(element: HTMLElement, words: string[]): HTMLElement | null {
  const ranges: Range[] = []
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node && ranges.length < MAX_MARKS; node = texts.nextNode()) {
    // What stands around a text is not what was searched.
    if (node.parentElement?.closest('footer, button, h2.sr-only')) continue
    for (const word of new Set(words)) ranges.push(...rangesIn(node as Text, word))
  }
  // Without them the message itself is marked, by who shows it.
  if ('highlights' in CSS) CSS.highlights.set(NAME, new Highlight(...ranges))
  let first = ranges.toSorted((a, b) => a.compareBoundaryPoints(Range.START_TO_START, b))[0]?.startContainer.parentElement
  // Folded code, and that of a diagram, are there without being shown.
  while (first && !first.checkVisibility()) first = first.parentElement
  return first ?? null
}

function rangesIn(node: Text, word: string): Range[] {
  const ranges: Range[] = []
  for (let at = node.data.indexOf(word); at >= 0; at = node.data.indexOf(word, at + word.length)) {
    const range = new Range()
    range.setStart(node, at)
    range.setEnd(node, at + word.length)
    ranges.push(range)
  }
  return ranges
}
