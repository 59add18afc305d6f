import type { ChatMessagePart } from '../../../../contract/message.ts'
import { copiedSourceElements } from './sources/copied-sources.ts'

/** What stays on an element that is pasted elsewhere. */
const KEPT_ATTRIBUTES = ['href', 'start', 'type', 'checked', 'encoding', 'display', 'xmlns', 'mathvariant', 'stretchy', 'columnalign']

/** An answer's text and sources as HTML without anything of this page: no classes, colours, buttons, or what is there twice. */
export function formattedCopy(article: HTMLElement | null, parts: readonly ChatMessagePart[]): string {
  const texts = [...(article?.querySelectorAll('.prose') ?? [])].map((prose) => prose.cloneNode(true) as HTMLElement)
  for (const text of texts) {
    for (const mark of text.querySelectorAll('.citation')) mark.textContent = ` [${mark.textContent}]`
    for (const element of text.querySelectorAll('[popover], figcaption, .katex-html, .code > button, .drawing, .diagram > p'))
      element.remove()
    for (const button of text.querySelectorAll('button')) button.replaceWith(button.textContent)
    for (const element of text.querySelectorAll('figure, .table, span')) element.replaceWith(...element.childNodes)
    for (const element of text.querySelectorAll('*')) keepAttributes(element)
  }
  return [...texts.map((text) => text.innerHTML), ...copiedSourceElements(parts).map(({ outerHTML }) => outerHTML)].join('\n')
}

function keepAttributes(element: Element): void {
  const align = element instanceof HTMLElement ? element.style.textAlign : ''
  for (const name of element.getAttributeNames()) if (!KEPT_ATTRIBUTES.includes(name)) element.removeAttribute(name)
  if (align) element.setAttribute('align', align)
}
