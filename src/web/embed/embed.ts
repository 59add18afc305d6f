import { createChatFrame } from './chat-frame.ts'
import { keepInPage, type Theme } from './keep-in-page.ts'
import { createPanel } from './panel.ts'

/** The calls of `window.Parley`. With several tags in a page they act on the first. */
interface Actions {
  open(): void
  close(): void
  toggle(): void
  /** Takes button and panel out of sight; an open chat goes on. */
  hide(): void
  show(): void
  /** Removes button, panel and chat from the page. */
  destroy(): void
  /** Opens the chat with a text in the message box, for the visitor to edit and send. */
  prefill(text: string): void
  /** Opens the chat with a text in the message box and the focus on "Send": only the visitor sends. */
  ask(text: string): void
  /** `system`: as the page. */
  theme(theme: Theme): void
  on(event: ParleyEvent, listener: () => void): void
}

/** `unread`: an answer ended while the panel was closed. Events carry no data. */
type ParleyEvent = 'ready' | 'opened' | 'closed' | 'answered' | 'unread'

type Call = { [Name in keyof Actions]: [Name, ...Parameters<Actions[Name]>] }[keyof Actions]

interface ParleyApi extends Actions {
  /** Makes calls as those that were queued in an array before the script had loaded. */
  push(...calls: Call[]): void
  /** Adds the embed of another tag. */
  add(script: HTMLScriptElement): void
}

declare global {
  interface Window {
    Parley?: ParleyApi | Call[]
  }
}

const OPEN_KEY = 'parley-open'

interface Embed {
  script: HTMLScriptElement
  readonly isStart: boolean
  readonly actions: Actions
}

function createApi(): ParleyApi {
  const embeds: Embed[] = []
  const remove = (embed: Embed) => void embeds.splice(embeds.indexOf(embed), 1)
  const actions = Object.fromEntries(
    ACTIONS.map((name) => [
      name,
      (...values: unknown[]) => (embeds[0]?.actions[name] as ((...given: unknown[]) => void) | undefined)?.(...values),
    ]),
  ) as unknown as Actions
  return {
    ...actions,
    push(...calls) {
      for (const [name, ...values] of calls) if (ACTIONS.includes(name)) (actions[name] as (...given: unknown[]) => void)(...values)
    },
    add(added) {
      // Routers that replace the body run its tags again.
      const same = embeds.find((embed) => isSameTag(embed.script, added))
      if (same) return void (same.script = added)
      for (const embed of embeds.slice()) if (!embed.script.isConnected && added.isConnected) embed.actions.destroy()
      const isStart = added.dataset['side'] ? added.dataset['side'] === 'start' : embeds.some((embed) => !embed.isStart)
      if (embeds.some((embed) => embed.isStart === isStart)) console.error('Parley: two chats are on the same side. Set data-side.', added)
      const embed: Embed = { script: added, isStart, actions: createEmbed(added, isStart, embeds.length, () => remove(embed)) }
      embeds.push(embed)
    },
  }
}

const ACTIONS: readonly (keyof Actions)[] = ['open', 'close', 'toggle', 'hide', 'show', 'destroy', 'prefill', 'ask', 'theme', 'on']

const isSameTag = (one: HTMLScriptElement, other: HTMLScriptElement) =>
  one === other || (one.src === other.src && JSON.stringify(one.dataset) === JSON.stringify(other.dataset))

/** Adds a button and a panel to the page, as soon as it has a body. The chat's frame is loaded when the panel first opens. */
function createEmbed({ src, dataset }: HTMLScriptElement, isStart: boolean, place: number, onDestroy: () => void): Actions {
  const language = dataset['lang'] ?? document.documentElement.lang
  const label = dataset['label'] ?? 'Chat'

  const { host, root, panel, launcher, shut } = createPanel(dataset, label, language, isStart)

  const events = new EventTarget()
  const tell = (event: ParleyEvent) => void events.dispatchEvent(new Event(event))
  const destroyed = new AbortController()
  const { signal } = destroyed

  const frame = createChatFrame(panel, label, src, language, dataset['agent'], signal, (message) => {
    if (message.type === 'close') setOpen(false, true)
    if (message.type === 'consent') {
      mayStore = message.isGiven
      rememberOpen(openKey, isOpenByVisitor && mayStore)
    }
    if (message.type === 'answered') {
      tell('answered')
      if (isClosed()) tell('unread')
    }
  })

  let isReady = false
  const { setTheme, release } = keepInPage(host, panel, signal, {
    attached() {
      frame.disconnected()
      if (!isReady) tell('ready')
      isReady = true
    },
    drawn: (theme) => frame.say({ type: 'theme', theme }),
  })

  const openKey = place === 0 ? OPEN_KEY : `${OPEN_KEY}-${place + 1}`
  let isOpenByVisitor = wasOpen(openKey)
  let mayStore = false
  /** Opens the panel without taking the focus. */
  const show = () => {
    frame.load()
    panel.hidden = false
    launcher.setAttribute('aria-expanded', 'true')
  }
  const isClosed = () => panel.hidden !== false
  const setOpen = (isOpen: boolean, byVisitor = false) => {
    const isChanged = isClosed() === isOpen
    if (isOpen) {
      show()
      host.hidden = false
      // Above what has come to the top layer since.
      host.hidePopover?.()
      if (host.isConnected) host.showPopover?.()
      frame.focus()
    } else {
      const hadFocus = root.activeElement !== null
      panel.hidden = true
      launcher.setAttribute('aria-expanded', 'false')
      if (hadFocus) launcher.focus()
    }
    isOpenByVisitor = isOpen && (byVisitor || isOpenByVisitor)
    rememberOpen(openKey, isOpenByVisitor && mayStore)
    if (isChanged) tell(isOpen ? 'opened' : 'closed')
  }
  launcher.addEventListener('click', () => setOpen(isClosed(), true))
  shut.addEventListener('click', () => setOpen(false, true))
  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') setOpen(false, true)
  })
  if (dataset['theme'] === 'light' || dataset['theme'] === 'dark') setTheme(dataset['theme'])
  if (isOpenByVisitor) show()
  return {
    open: () => setOpen(true),
    close: () => setOpen(false),
    toggle: () => setOpen(isClosed()),
    hide: () => void (host.hidden = true),
    show: () => void (host.hidden = false),
    destroy() {
      destroyed.abort()
      release()
      host.remove()
      rememberOpen(openKey, false)
      onDestroy()
    },
    prefill(text) {
      setOpen(true)
      frame.say({ type: 'prefill', text })
    },
    ask(text) {
      setOpen(true)
      frame.say({ type: 'ask', text })
    },
    theme: setTheme,
    on(event, listener) {
      if (event === 'ready' && isReady) queueMicrotask(listener)
      else events.addEventListener(event, () => listener())
    },
  }
}

/**
 * Remembers in this tab that the visitor, who has consented, opened the panel, so that it is open on the site's next page. Nothing else is
 * stored.
 */
function rememberOpen(key: string, isOpen: boolean): void {
  try {
    if (isOpen) sessionStorage.setItem(key, 'true')
    else sessionStorage.removeItem(key)
  } catch {
    // The browser denies storage.
  }
}

function wasOpen(key: string): boolean {
  try {
    return sessionStorage.getItem(key) === 'true'
  } catch {
    return false
  }
}

// A module has no current script.
const script = document.currentScript ?? [...document.scripts].find(({ src, type }) => type === 'module' && /\/embed\.js(\?|$)/.test(src))
if (script instanceof HTMLScriptElement) {
  const queued = window.Parley
  if (queued && 'add' in queued) queued.add(script)
  else {
    const api = createApi()
    window.Parley = api
    api.add(script)
    if (Array.isArray(queued)) api.push(...queued)
  }
}
