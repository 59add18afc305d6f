import type { ChatMessagePart } from '../../../../contract/chat/message.ts'
import { copiedSourceElements } from './sources/copied-sources.ts'

/** Attributes that survive in the copied HTML. */
const COPIED_ATTRIBUTES = ['href', 'start', 'type', 'checked', 'encoding', 'display', 'xmlns', 'mathvariant', 'stretchy', 'columnalign']

/** An answer's text and sources as portable HTML, without the page's classes, colours, buttons and hidden duplicates. */
export function formattedCopy(article: HTMLElement | null, parts: readonly ChatMessagePart[]): string {
  const texts = [...(article?.querySelectorAll('.prose') ?? [])].map((prose) => prose.cloneNode(true) as HTMLElement)
  for (const text of texts) {
    for (const mark of text.querySelectorAll('.citation')) mark.replaceWith(` [${mark.textContent}]`)
    for (const element of text.querySelectorAll('[popover], figcaption, .katex-html, .code > button, .drawing, .diagram > p'))
      element.remove()
    for (const button of text.querySelectorAll('button')) button.replaceWith(button.textContent)
    for (const element of text.querySelectorAll('figure, .wide, .table, span')) element.replaceWith(...element.childNodes)
    for (const element of text.querySelectorAll('*')) stripAttributes(element)
  }
  return [...texts.map((text) => text.innerHTML), ...copiedSourceElements(parts).map(({ outerHTML }) => outerHTML)].join('\n')
}

function stripAttributes(element: Element): void {
  const align = element instanceof HTMLElement ? element.style.textAlign : ''
  for (const name of element.getAttributeNames()) if (!COPIED_ATTRIBUTES.includes(name)) element.removeAttribute(name)
  if (align) element.setAttribute('align', align)
}
