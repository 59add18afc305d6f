import { CONNECT, type FrameMessage, HELLO, MAX_PREFILL_CHARACTERS } from '../../contract/embedding.ts'
import { fillIn } from '../features/chat/chat-actions.ts'
import { chooseAgent, useConfiguration } from '../state/configuration.ts'
import { setTheme, THEMES } from '../ui/theme.ts'

/** Makes the page the content of a frame: it heeds the page around it, which the server has allowed to be there. */
export function enableEmbedding(): void {
  const agent = new URLSearchParams(location.search).get('agent')
  if (agent) chooseAgent(agent)
  // A provider of accounts does not let itself be framed.
  useConfiguration.setState({ signIn: null })
  addEventListener('message', connect)
  // Whoever is around may know that there is a chat; it answers with a channel, and only then is anything said.
  parent.postMessage(HELLO, '*')
}

function connect({ source, data, ports: [port] }: MessageEvent): void {
  if (source !== parent || data !== CONNECT || !port) return
  removeEventListener('message', connect)
  const tell = (message: FrameMessage) => port.postMessage(message)
  port.addEventListener('message', ({ data: message }) => handleMessage(message))
  port.start()
  addEventListener('keydown', ({ key, defaultPrevented }) => {
    if (key === 'Escape' && !defaultPrevented && !document.querySelector('dialog[open], :popover-open')) tell({ type: 'close' })
  })
  tell({ type: 'ready' })
}

/** What comes from outside is checked piece by piece: the page has no schema library. */
function handleMessage(message: unknown): void {
  if (typeof message !== 'object' || message === null || !('type' in message)) return
  const { type, text, theme } = message as Record<string, unknown>
  if (type === 'focus') document.getElementById('composer')?.focus()
  if (type === 'prefill' && typeof text === 'string') fillIn(text.slice(0, MAX_PREFILL_CHARACTERS).toWellFormed())
  const known = THEMES.find((other) => other === theme)
  if (type === 'theme' && known) setTheme(known, false)
}
