import { PANEL_STYLES } from './panel-styles.ts'

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

/** States that an AI answers, by language; English otherwise. */
const AI_SENTENCES: Readonly<Record<string, string>> = {
  ar: 'أنت تتحدث مع ذكاء اصطناعي.',
  de: 'Sie chatten mit einer KI.',
  es: 'Está chateando con una IA.',
  fr: 'Vous discutez avec une IA.',
  hi: 'आप एक एआई से बात कर रहे हैं।',
  it: 'Stai chattando con un’IA.',
  ja: 'AIとチャットしています。',
  ko: 'AI와 대화하고 있습니다.',
  pt: 'Você está conversando com uma IA.',
  ru: 'Вы общаетесь с ИИ.',
  zh: '您正在与人工智能对话。',
}

/** The abbreviation on the button, by language; `AI` otherwise. */
const AI_BADGES: Readonly<Record<string, string>> = { de: 'KI', es: 'IA', fr: 'IA', it: 'IA', pt: 'IA', ru: 'ИИ' }

/** Makes the element of button and panel, not yet in the page. */
export function createPanel(dataset: DOMStringMap, label: string, language: string, isStart: boolean) {
  const host = createHost(dataset['color'], isStart)
  const root = host.attachShadow({ mode: 'open' })
  const styles = new CSSStyleSheet()
  styles.replaceSync(PANEL_STYLES)
  root.adoptedStyleSheets = [styles]

  const aiSentence = textIn(AI_SENTENCES, language) ?? 'You’re chatting with an AI.'
  const badge = element('span', { class: 'badge', title: aiSentence }, textIn(AI_BADGES, language) ?? 'AI')
  const launcher = element(
    'button',
    { type: 'button', class: 'launcher', 'aria-expanded': 'false', 'aria-haspopup': 'dialog' },
    label,
    badge,
  )
  const panel = element('div', { class: 'panel', role: 'dialog', 'aria-label': label, hidden: '' })
  const shut = element(
    'button',
    { type: 'button', class: 'shut', 'aria-label': dataset['closeLabel'] ?? textIn(CLOSE_LABELS, language) ?? 'Close' },
    '×',
  )
  const title = element('span', {}, label, element('small', {}, aiSentence))
  panel.append(element('div', { class: 'bar' }, title, shut))
  root.append(panel, launcher)
  if (language) host.lang = language
  return { host, root, panel, launcher, shut }
}

/** The element of button and panel, in the top layer where the browser has one: above the page's layers, and free of its transforms. */
function createHost(color: string | undefined, isStart: boolean): HTMLElement {
  // Pages hide and wait for elements that aren't defined.
  if (!customElements.get('parley-chat')) customElements.define('parley-chat', class extends HTMLElement {})
  const host = document.createElement('parley-chat')
  host.popover = 'manual'
  host.toggleAttribute('data-start', isStart)
  try {
    // A value that is no colour counts as none.
    CSS.registerProperty({ name: '--parley-color', syntax: '<color>', inherits: true, initialValue: '#0b6b5b' })
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
