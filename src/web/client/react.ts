import { createElement, type CSSProperties, type ReactElement, useEffect, useId } from 'react'

export interface ParleyChatProps {
  /** Parley's address, such as `https://chat.example.org`. */
  url: string
  /** The agent that answers; by default the first one. */
  agent?: string
  /** Name of the chat for screen readers. */
  label?: string
  /** Language of the chat; by default that of the page. */
  lang?: string
  /** Any CSS colour. */
  color?: string
  /** By default as the page. */
  theme?: 'light' | 'dark'
  className?: string
  /** The chat is as large as its element: set its height. */
  style?: CSSProperties
}

/** The embedded chat, in the place of this element: the usual page in a frame, with its notice, history and "My data". */
export function ParleyChat({ url, className, style, ...options }: ParleyChatProps): ReactElement {
  const id = `parley-${useId().replaceAll(/\W/g, '')}`
  const data = JSON.stringify({ ...options, inline: `#${id}` })
  useEffect(() => {
    const script = document.createElement('script')
    script.src = new URL('embed.js', url.endsWith('/') ? url : `${url}/`).href
    Object.assign(script.dataset, JSON.parse(data) as ParleyChatProps)
    document.head.append(script)
    // The chat of a tag that has gone ends with the next tag.
    return () => script.remove()
  }, [url, data])
  return createElement('div', { id, className, style })
}
