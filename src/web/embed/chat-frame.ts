import { CONNECT, type FrameMessage, HANDSHAKE, type HostMessage } from '../../contract/embedding.ts'
import { readSettings } from './embed-settings.ts'
import { element } from './panel.ts'

/** If the frame does not respond within this time, the panel shows a link to the chat. */
const SILENT_AFTER_MS = 10_000

/** The chat's frame in `panel`, which is loaded when it is first needed, and the messages to and from it. */
export function createChatFrame(
  panel: HTMLElement,
  label: string,
  address: URL,
  signal: AbortSignal,
  hear: (message: FrameMessage) => void,
) {
  let frame: HTMLIFrameElement | null = null
  const fallback = element('a', { class: 'fallback', href: new URL('./', address).href, target: '_blank', rel: 'noopener' }, `${label} ↗`)
  let port: MessagePort | null = null
  /** Messages queued until the frame is connected, and the latest context, which it is told each time. */
  const unsaid = new Map<HostMessage['type'], HostMessage>()
  const say = (message: HostMessage) => {
    if (!port || message.type === 'context') unsaid.set(message.type, message)
    port?.postMessage(message)
  }
  /** The page's origin isn't listed, so the browser shows no frame. */
  const refuse = () => {
    console.error(`Parley: the origin ${origin} is not listed in FRAME_ANCESTORS, or in the origins of this embed.`)
    frame?.remove()
    panel.append(fallback)
  }
  return {
    say,
    /** The frame was taken out of the page, and loads and connects anew. */
    disconnected: () => void (port = null),
    focus() {
      frame?.focus()
      say({ type: 'focus' })
    },
    load() {
      if (frame) return
      frame = element('iframe', { title: label, allow: 'clipboard-write; microphone', loading: 'lazy', src: address.href })
      panel.append(frame)
      readSettings(address).then(({ isListed }) => isListed || refuse(), console.error)
      const silent = setTimeout(() => panel.append(fallback), SILENT_AFTER_MS)
      listen(frame, address.origin, signal, (message, opened) => {
        if (message.type === 'ready') {
          clearTimeout(silent)
          fallback.remove()
          port = opened
          const waiting = [...unsaid.values()]
          unsaid.clear()
          waiting.forEach(say)
        }
        hear(message)
      })
    },
  }
}

/** Opens a message channel to the frame whenever a page of the chat's origin connects. */
function listen(
  frame: HTMLIFrameElement,
  origin: string,
  signal: AbortSignal,
  hear: (message: FrameMessage, port: MessagePort) => void,
): void {
  const connect = ({ source, origin: from, data }: MessageEvent) => {
    if (source !== frame.contentWindow || from !== origin || data !== HANDSHAKE) return
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', ({ data: message }: MessageEvent<FrameMessage>) => hear(message, port1))
    port1.start()
    frame.contentWindow?.postMessage(CONNECT, origin, [port2])
  }
  addEventListener('message', connect, { signal })
}
