import { CONNECT, type FrameMessage, HANDSHAKE, type HostMessage } from '../../contract/embedding.ts'
import { PANEL_STYLES } from './panel-styles.ts'

/** The API of `window.Parley` for pages that embed the chat. */
export interface ParleyEmbed {
  open(): void
  close(): void
  /** Opens the chat with a text in the message box, for the visitor to edit and send. */
  prefill(text: string): void
  theme(theme: 'system' | 'light' | 'dark'): void
}

declare global {
  interface Window {
    Parley?: ParleyEmbed
  }
}

/** If the frame does not respond within this time, the panel shows a link to the chat. */
const SILENT_AFTER_MS = 10_000

const OPEN_KEY = 'parley-open'

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

const script = document.currentScript
// If the script is loaded twice, the first one wins.
if (script instanceof HTMLScriptElement && !window.Parley) embed(script)

/** Adds a button and a panel to the page. The chat's frame is loaded when the panel first opens. */
function embed({ src, dataset }: HTMLScriptElement): void {
  const address = new URL('./?embed', src)
  if (dataset['agent']) address.searchParams.set('agent', dataset['agent'])
  const language = dataset['lang'] ?? document.documentElement.lang
  if (language) address.searchParams.set('language', language)
  const label = dataset['label'] ?? 'Chat'

  const host = document.createElement('parley-chat')
  const root = host.attachShadow({ mode: 'open' })
  const styles = new CSSStyleSheet()
  styles.replaceSync(PANEL_STYLES)
  root.adoptedStyleSheets = [styles]
  if (dataset['color']) host.style.setProperty('--parley-color', dataset['color'])
  host.toggleAttribute('data-start', dataset['side'] === 'start')

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

  let port: MessagePort | null = null
  /** Messages queued until the frame is connected. */
  const unsaid = new Map<HostMessage['type'], HostMessage>()
  const say = (message: HostMessage) => {
    if (port) port.postMessage(message)
    else unsaid.set(message.type, message)
  }
  let frame: HTMLIFrameElement | null = null
  const load = () => {
    if (frame) return
    frame = document.createElement('iframe')
    frame.title = label
    frame.allow = 'clipboard-write; microphone'
    frame.src = address.href
    panel.append(frame)
    const fallback = element('a', { class: 'fallback', href: new URL('./', src).href, target: '_blank', rel: 'noopener' }, `${label} ↗`)
    const silent = setTimeout(() => panel.append(fallback), SILENT_AFTER_MS)
    listen(frame, address.origin, {
      ready(opened) {
        clearTimeout(silent)
        fallback.remove()
        port = opened
        for (const message of unsaid.values()) say(message)
        unsaid.clear()
      },
      close: () => setOpenByVisitor(false),
    })
  }
  /** Opens the panel without taking the focus. */
  const show = () => {
    load()
    panel.hidden = false
    launcher.setAttribute('aria-expanded', 'true')
  }
  const setOpen = (isOpen: boolean) => {
    if (isOpen) show()
    panel.hidden = !isOpen
    launcher.setAttribute('aria-expanded', String(isOpen))
    if (isOpen) {
      frame?.focus()
      say({ type: 'focus' })
    } else launcher.focus()
  }
  const setOpenByVisitor = (isOpen: boolean) => {
    setOpen(isOpen)
    rememberOpen(isOpen)
  }
  launcher.addEventListener('click', () => setOpenByVisitor(panel.hidden !== false))
  shut.addEventListener('click', () => setOpenByVisitor(false))
  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') setOpenByVisitor(false)
  })
  const theme: ParleyEmbed['theme'] = (to) => {
    host.style.colorScheme = to === 'system' ? '' : to
    say({ type: 'theme', theme: to })
  }
  if (dataset['theme'] === 'light' || dataset['theme'] === 'dark') theme(dataset['theme'])
  window.Parley = {
    open: () => setOpen(true),
    close: () => setOpen(false),
    prefill(text) {
      setOpen(true)
      say({ type: 'prefill', text })
    },
    theme,
  }
  document.body.append(host)
  if (wasOpen()) show()
  dispatchEvent(new Event('parley-ready'))
}

/** Remembers in this tab that the visitor has opened the panel, so that it is open on the site's next page. Nothing else is stored. */
function rememberOpen(isOpen: boolean): void {
  try {
    if (isOpen) sessionStorage.setItem(OPEN_KEY, 'true')
    else sessionStorage.removeItem(OPEN_KEY)
  } catch {
    // The browser denies storage.
  }
}

function wasOpen(): boolean {
  try {
    return sessionStorage.getItem(OPEN_KEY) === 'true'
  } catch {
    return false
  }
}

function textIn(texts: Readonly<Record<string, string>>, language: string): string | undefined {
  return texts[language.toLowerCase().split('-', 1)[0] ?? '']
}

interface Hearing {
  ready(port: MessagePort): void
  close(): void
}

/** Opens a message channel to the frame when a page of the chat's origin connects. */
function listen(frame: HTMLIFrameElement, origin: string, hearing: Hearing): void {
  addEventListener('message', ({ source, origin: from, data }) => {
    if (source !== frame.contentWindow || from !== origin || data !== HANDSHAKE) return
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', ({ data: message }: MessageEvent<FrameMessage>) => {
      if (message.type === 'ready') hearing.ready(port1)
      if (message.type === 'close') hearing.close()
    })
    port1.start()
    frame.contentWindow?.postMessage(CONNECT, origin, [port2])
  })
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
  made.append(...children)
  return made
}
