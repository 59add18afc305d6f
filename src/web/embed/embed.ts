import { createChatFrame } from './chat-frame.ts'
import { type EmbedSettings, frameAddress, readSettings } from './embed-settings.ts'
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
  /** Describes the page in short texts, such as `{ page: location.href, title: document.title }`; the visitor sees and can remove it. */
  context(context: Readonly<Record<string, string>>): void
  /** `system`: as the page. */
  theme(theme: Theme): void
  on(event: ParleyEvent, listener: () => void): void
}

/** `unread`: an answer ended while the panel was closed. Events carry no data. */
type ParleyEvent = 'ready' | 'opened' | 'closed' | 'answered' | 'unread'

type Call = { [Name in keyof Actions]: [Name, ...Parameters<Actions[Name]>] }[keyof Actions]

/** The name of an embed can come first. */
type ParleyCall = Call | [name: string, ...Call]

interface ParleyApi extends Actions {
  /** Makes calls as those that were queued in an array before the script had loaded. */
  push(...calls: ParleyCall[]): void
  /** Adds the embed of another tag. */
  add(script: HTMLScriptElement, settings?: EmbedSettings): void
}

declare global {
  interface Window {
    Parley?: ParleyApi | ParleyCall[]
  }
}

interface Embed {
  script: HTMLScriptElement
  readonly dataset: DOMStringMap
  readonly isStart: boolean
  readonly actions: Actions
}

function createApi(): ParleyApi {
  const embeds: Embed[] = []
  /** Calls with the name of an embed that isn't there yet. */
  let waiting: ParleyCall[] = []
  const actions = Object.fromEntries(
    ACTIONS.map((name) => [name, (...values: unknown[]) => call(embeds[0], name, values)]),
  ) as unknown as Actions
  return {
    ...actions,
    push(...calls) {
      for (const made of calls) {
        const [first, ...rest] = made
        const named = embeds.find(({ script }) => script.dataset['embed'] === first)
        const [name, ...values] = named ? rest : [first, ...rest]
        if (ACTIONS.includes(name as keyof Actions)) call(named ?? embeds[0], name as keyof Actions, values)
        else if (!named) waiting.push(made)
      }
    },
    add(added, settings) {
      // Routers that replace the body run its tags again.
      const same = embeds.find((embed) => isSameTag(embed.script, added))
      if (same) return void (same.script = added)
      for (const embed of embeds.slice()) if (!embed.script.isConnected && added.isConnected) embed.actions.destroy()
      const { isListed: _, ...texts } = { isListed: true, ...settings }
      const dataset = withValidSelectors({ ...texts, ...added.dataset })
      const { side, inline } = dataset
      const inCorners = embeds.filter((embed) => !embed.dataset['inline'])
      const isStart = side ? side === 'start' : inCorners.some((embed) => !embed.isStart)
      if (!inline && inCorners.some((embed) => embed.isStart === isStart))
        console.error('Parley: two chats are on the same side. Set data-side.', added)
      const onDestroy = () => void embeds.splice(embeds.indexOf(embed), 1)
      const embed: Embed = { script: added, dataset, isStart, actions: createEmbed(added.src, dataset, isStart, embeds.length, onDestroy) }
      embeds.push(embed)
      const calls = waiting
      waiting = []
      this.push(...calls)
    },
  }
}

const ACTIONS = 'open close toggle hide show destroy prefill ask context theme on'.split(' ') as (keyof Actions)[]

const call = (embed: Embed | undefined, name: keyof Actions, values: unknown[]) =>
  (embed?.actions[name] as ((...given: unknown[]) => void) | undefined)?.(...values)

const isSameTag = (one: HTMLScriptElement, other: HTMLScriptElement) =>
  one === other || (one.src === other.src && JSON.stringify(one.dataset) === JSON.stringify(other.dataset))

/** `dataset` without the selectors that no browser can read; each is an error in the browser's console. */
function withValidSelectors(dataset: DOMStringMap): DOMStringMap {
  for (const name of ['trigger', 'inline']) {
    try {
      document.querySelector(dataset[name] || '*')
    } catch {
      console.error(`Parley: data-${name} is not a CSS selector: ${dataset[name]}`)
      delete dataset[name]
    }
  }
  return dataset
}

/** Shows a dot on the button, and tells a screen reader as much in every language. */
function markUnread(launcher: HTMLElement, isUnread: boolean): void {
  launcher.toggleAttribute('data-unread', isUnread)
  launcher.ariaLabel = `${launcher.ariaLabel?.replace(/ \(1\)$/, '')}${isUnread ? ' (1)' : ''}`
}

/** Adds a button and a panel to the page, as soon as it has a body. The chat's frame is loaded when the panel first opens. */
function createEmbed(src: string, dataset: DOMStringMap, isStart: boolean, place: number, onDestroy: () => void): Actions {
  const language = dataset['lang'] ?? document.documentElement.lang
  const label = dataset['label'] ?? 'Chat'
  const { trigger, inline } = dataset

  const { host, root, panel, bar, launcher, shut } = createPanel(dataset, label, language, isStart)

  const { tell, on } = createEvents()
  const destroyed = new AbortController()
  const { signal } = destroyed

  const frame = createChatFrame(panel, label, frameAddress(src, dataset), signal, (message) => {
    // From here on, the chat's own header is there.
    if (message.type === 'ready') bar.hidden = true
    if (message.type === 'close') close()
    if (message.type === 'consent') memory.allow(message.isGiven)
    if (message.type === 'answered') {
      tell('answered')
      if (isClosed()) {
        markUnread(launcher, true)
        tell('unread')
      }
    }
  })

  const { setTheme, release } = keepInPage(host, panel, inline, signal, {
    attached() {
      frame.disconnected()
      bar.hidden = false
      tell('ready')
    },
    drawn: (theme, color) => frame.say({ type: 'theme', theme, color }),
  })

  const memory = openMemory(dataset['embed'] ?? (place > 0 && place + 1))
  /** Opens the panel without taking the focus. */
  const show = () => {
    frame.load()
    panel.hidden = false
    markUnread(launcher, false)
    launcher.setAttribute('aria-expanded', 'true')
  }
  const isClosed = () => panel.hidden !== false
  const setOpen = (isOpen: boolean, byVisitor = false) => {
    const isChanged = isClosed() === isOpen
    if (isOpen) {
      show()
      host.hidden = false
      // Above what has come to the top layer since.
      if (!inline && host.isConnected) {
        host.hidePopover?.()
        host.showPopover?.()
      }
      frame.focus()
    } else {
      const hadFocus = root.activeElement !== null
      panel.hidden = true
      launcher.setAttribute('aria-expanded', 'false')
      if (hadFocus) (opener ?? launcher).focus()
    }
    memory.keep(isOpen && (byVisitor || memory.isOpen()))
    if (isChanged) tell(isOpen ? 'opened' : 'closed')
  }
  const close = () => {
    if (!inline) setOpen(false, true)
  }
  const fill = (type: 'prefill' | 'ask') => (text: string) => {
    setOpen(true)
    frame.say({ type, text })
  }
  let opener: HTMLElement | undefined
  launcher.addEventListener('click', () => setOpen(isClosed(), true))
  if (trigger) {
    onPress(trigger, signal, (pressed) => {
      opener = pressed
      setOpen(isClosed(), true)
    })
  }
  launcher.hidden = Boolean(trigger || inline)
  shut.addEventListener('click', close)
  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close()
  })
  if (dataset['theme'] === 'light' || dataset['theme'] === 'dark') setTheme(dataset['theme'])
  if (memory.isOpen() || inline) show()
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
      memory.keep(false)
      onDestroy()
    },
    prefill: fill('prefill'),
    ask: fill('ask'),
    context: (context) => frame.say({ type: 'context', context }),
    theme: setTheme,
    on,
  }
}

/** Events of an embed. It is ready once, also for those who listen later. */
function createEvents() {
  const events = new EventTarget()
  let isReady = false
  return {
    tell(event: ParleyEvent) {
      if (event === 'ready' && isReady) return
      isReady ||= event === 'ready'
      events.dispatchEvent(new Event(event))
    },
    on(event: ParleyEvent, listener: () => void) {
      if (event === 'ready' && isReady) queueMicrotask(listener)
      else events.addEventListener(event, () => listener())
    },
  }
}

/** Calls `act` when an element of the page is pressed, also one that the page draws later, instead of following its link. */
function onPress(selector: string, signal: AbortSignal, act: (pressed: HTMLElement) => void): void {
  const onClick = (event: Event) => {
    const pressed = event.target instanceof Element && event.target.closest<HTMLElement>(selector)
    if (!pressed) return
    event.preventDefault()
    act(pressed)
  }
  document.addEventListener('click', onClick, { signal })
}

/**
 * Remembers in this tab that the visitor, who has consented, opened the panel, so that it is open on the site's next page. Nothing else is
 * stored.
 */
function openMemory(embed: string | number | false) {
  const key = embed ? `parley-open-${embed}` : 'parley-open'
  let isOpen = false
  let mayStore = false
  const store = () => {
    try {
      if (isOpen && mayStore) sessionStorage.setItem(key, 'true')
      else sessionStorage.removeItem(key)
    } catch {
      // The browser denies storage.
    }
  }
  try {
    isOpen = sessionStorage.getItem(key) === 'true'
  } catch {
    // The same.
  }
  return {
    isOpen: () => isOpen,
    keep(isNowOpen: boolean) {
      isOpen = isNowOpen
      store()
    },
    allow(isAllowed: boolean) {
      mayStore = isAllowed
      store()
    },
  }
}

function begin(script: HTMLScriptElement, settings?: EmbedSettings): void {
  const queued = window.Parley
  // An element of the page can have the name.
  if (queued && 'add' in queued && typeof queued.add === 'function') return queued.add(script, settings)
  const api = createApi()
  window.Parley = api
  api.add(script, settings)
  if (Array.isArray(queued)) api.push(...queued)
}

// A module has no current script, and runs once for all its tags.
const modules = () => [...document.scripts].filter(({ src, type }) => type === 'module' && /\/embed\.js(\?|$)/.test(src))
for (const script of document.currentScript ? [document.currentScript] : modules()) {
  if (!(script instanceof HTMLScriptElement)) continue
  const { embed } = script.dataset
  if (embed)
    readSettings(frameAddress(script.src, script.dataset))
      .then((settings) => begin(script, settings))
      .catch(() => console.error(`Parley: there is no embed "${embed}", or it can’t be read.`))
  else begin(script)
}
