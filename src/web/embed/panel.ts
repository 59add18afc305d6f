import { OWN_COLOR, PANEL_STYLES } from './panel-styles.ts'

/** By language; English otherwise. */
const CLOSE_LABELS: Readonly<Record<string, string>> = {
  ar: 'إغلاق',
  de: 'Schließen',
  es: 'Cerrar',
  fr: 'Fermer',
  hi: 'बंद करें',
  it: 'Chiudi',
  ja: '閉じる',
  ko: '닫기',
  pt: 'Fechar',
  ru: 'Закрыть',
  zh: '关闭',
}

/** The abbreviation on the button, by language; `AI` otherwise. */
const AI_BADGES: Readonly<Record<string, string>> = { de: 'KI', es: 'IA', fr: 'IA', it: 'IA', pt: 'IA', ru: 'ИИ' }

/** Makes the element of button and panel, not yet in the page. */
export function createPanel(dataset: DOMStringMap, label: string, language: string, isStart: boolean) {
  const host = createHost(dataset, isStart)
  const root = host.attachShadow({ mode: 'open' })
  const styles = new CSSStyleSheet()
  styles.replaceSync(PANEL_STYLES)
  root.adoptedStyleSheets = [styles]

  const ai = textIn(AI_BADGES, language) ?? 'AI'
  const launcher = element(
    'button',
    // While open, it shows a × instead of its texts.
    { type: 'button', class: 'launcher', 'aria-label': `${label} ${ai}`, 'aria-expanded': 'false', 'aria-haspopup': 'dialog' },
    element('span', {}, label),
    // Parts the two for speech.
    ' ',
    element('span', { class: 'badge' }, ai),
  )
  const panel = element('div', { class: 'panel', role: 'dialog', 'aria-label': label, hidden: '' })
  const shut = element('button', { type: 'button', class: 'shut', 'aria-label': textIn(CLOSE_LABELS, language) ?? 'Close' }, '×')
  const bar = element('div', { class: 'bar' }, label, shut)
  panel.append(bar)
  root.append(panel, launcher)
  if (language) host.lang = language
  // Dialogs of the page that keep the focus, and its shortcuts, don't act on the chat.
  for (const type of ['focusin', 'keydown']) host.addEventListener(type, (event) => event.stopPropagation())
  return { host, root, panel, bar, launcher, shut }
}

/** The element of button and panel, in the top layer where the browser has one: above the page's layers, and free of its transforms. */
function createHost({ color, inline }: DOMStringMap, isStart: boolean): HTMLElement {
  // Pages hide and wait for elements that aren't defined.
  if (!customElements.get('parley-chat')) customElements.define('parley-chat', class extends HTMLElement {})
  const host = document.createElement('parley-chat')
  if (inline) host.setAttribute('data-inline', '')
  else host.popover = 'manual'
  host.toggleAttribute('data-start', isStart)
  try {
    // A value that is no colour counts as none.
    CSS.registerProperty({ name: '--parley-color', syntax: '<color>', inherits: true, initialValue: OWN_COLOR })
  } catch {
    // Registered by the first tag.
  }
  if (color) host.style.setProperty('--parley-color', color)
  return host
}

function textIn(texts: Readonly<Record<string, string>>, language: string): string | undefined {
  return texts[language.toLowerCase().split('-', 1)[0] ?? '']
}

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
  made.append(...children)
  return made
}
