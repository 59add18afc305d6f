import type { ReactNode } from 'react'
import type { ChatMessagePart } from '../../../contract/message.ts'
import { safeAddress } from '../../ui/markdown/safe-address.ts'

/** What an answer was taken from, numbered; a source is a link when it has a safe address. */
export function Sources({ parts }: { parts: ChatMessagePart[] }): ReactNode {
  const sources = parts.filter((part) => part.type === 'source-url' || part.type === 'source-document')
  if (sources.length === 0) return null
  return (
    <section className="sources" aria-label="Sources">
      <ol className="chips">
        {sources.map((source, index) => {
          const href = source.type === 'source-url' ? safeAddress(source.url) : null
          const title = source.title || (source.type === 'source-url' ? source.url : source.filename) || 'Source'
          const content = (
            <>
              <b>{index + 1}</b>
              <span dir="auto">{title}</span>
            </>
          )
          return (
            <li key={source.sourceId}>
              {href ? (
                <a className="chip" href={href} target="_blank" rel="noopener noreferrer nofollow">
                  {content}
                </a>
              ) : (
                <span className="chip still">{content}</span>
              )}
            </li>
          )
        })}
      </ol>
    </section>
  )
}
