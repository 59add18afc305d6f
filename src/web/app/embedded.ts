import { CONNECT, type FrameMessage, HANDSHAKE, MAX_PREFILL_CHARACTERS } from '../../contract/embedding.ts'
import { setEmbeddingSite } from '../api/embedded.ts'
import { fillIn } from '../features/chat/chat-actions.ts'
import { chooseAgent } from '../state/configuration.ts'
import { type ApplicationState, useApplication } from '../state/application-store.ts'
import { currentAnswerId } from '../state/chat-session.ts'
import { setPageContext } from '../state/page-context.ts'
import { applyHostColor } from '../../ui/accent.ts'
import { isThemeStored, setTheme, THEMES } from '../../ui/theme.ts'

let tell: (message: FrameMessage) => void = () => undefined

export const askToClose = (): void => tell({ type: 'close' })

/** Connects the page to the page that embeds it, which the server allows. */
export function enableEmbedding(): void {
  const agent = new URLSearchParams(location.search).get('agent')
  if (agent) chooseAgent(agent)
  addEventListener('message', connect)
  // Any embedding page may know that there is a chat. Everything else needs the channel that it answers with.
  parent.postMessage(HANDSHAKE, '*')
}

function connect({ source, origin, data, ports: [port] }: MessageEvent): void {
  if (source !== parent || data !== CONNECT || !port) return
  setEmbeddingSite(origin)
  removeEventListener('message', connect)
  tell = (message) => port.postMessage(message)
  port.addEventListener('message', ({ data: message }) => handleMessage(message))
  port.start()
  addEventListener('keydown', ({ key, defaultPrevented }) => {
    if (key === 'Escape' && !defaultPrevented && !document.querySelector('dialog:modal, :popover-open, .notification')) askToClose()
  })
  tell({ type: 'ready' })
  const tellConsent = ({ acceptsPrivacyPolicy }: ApplicationState) => tell({ type: 'consent', isGiven: acceptsPrivacyPolicy })
  useApplication.subscribe((state, before) => {
    if (state.acceptsPrivacyPolicy !== before.acceptsPrivacyPolicy) tellConsent(state)
    const { currentSession } = state
    if (currentSession?.answer.status === 'none' && currentAnswerId(currentSession, before.currentSession)) tell({ type: 'answered' })
  })
  tellConsent(useApplication.getState())
}

/** Validates by hand: the page has no schema library. */
function handleMessage(message: unknown): void {
  if (typeof message !== 'object' || message === null || !('type' in message)) return
  const { type, text, theme, color, context } = message as Record<string, unknown>
  if (type === 'focus') document.getElementById('composer')?.focus()
  if ((type === 'prefill' || type === 'ask') && typeof text === 'string') {
    fillIn(text.slice(0, MAX_PREFILL_CHARACTERS).toWellFormed())
    // When it is drawn, and can be pressed.
    if (type === 'ask') requestAnimationFrame(() => document.querySelector<HTMLElement>('form.composer [type=submit]')?.focus())
  }
  if (type === 'context' && typeof context === 'object' && context !== null) setPageContext(context)
  const known = THEMES.find((other) => other === theme)
  if (type === 'theme' && known && !isThemeStored()) setTheme(known, false)
  if (type === 'theme' && typeof color === 'string') applyHostColor(color)
}
