const MAX_MARKS = 500
const NAME = 'found'

/**
 * Highlights words in an element, and removes earlier highlights, with the CSS Custom Highlight API (`::highlight(found)`), which leaves
 * the DOM unchanged. Returns the visible element that contains the first match.
 */
export function highlightText(element: HTMLElement, words: string[]): HTMLElement | null {
  const ranges: Range[] = []
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node && ranges.length < MAX_MARKS; node = texts.nextNode()) {
    // Only message text was searched.
    if (node.parentElement?.closest('footer, button, h2.sr-only')) continue
    for (const word of new Set(words)) ranges.push(...rangesIn(node as Text, word))
  }
  // Without the API, the caller marks the whole message.
  if ('highlights' in CSS) CSS.highlights.set(NAME, new Highlight(...ranges))
  let first = ranges.toSorted((a, b) => a.compareBoundaryPoints(Range.START_TO_START, b))[0]?.startContainer.parentElement
  // Folded code and diagram sources are in the DOM but hidden.
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
