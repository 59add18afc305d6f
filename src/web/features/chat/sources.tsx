import { type ReactNode, useId } from 'react'
import type { ChatMessagePart } from '../../../contract/message.ts'
import { useSay } from '../../language/say.ts'
import { adoptStyles } from '../../ui/adopt-styles.ts'
import { safeAddress } from '../../ui/markdown/safe-address.ts'
import { type ShownSource, shownSources } from './shown-sources.ts'
import styles from './sources.css?inline'

adoptStyles(styles)

/** What an answer was taken from, numbered as it cites them: a card with the place if a tool found it, a link if there is only an address. */
export default function Sources({ parts }: { parts: ChatMessagePart[] }): ReactNode {
  const say = useSay()
  const { kind, sources } = shownSources(parts)
  const id = useId()
  return (
    <section
      className="sources"
      aria-label={kind === 'used' ? say('Sources') : undefined}
      aria-labelledby={kind === 'found' ? id : undefined}
    >
      {kind === 'found' && (
        <p id={id} className="muted">
          {say('Found')}
        </p>
      )}
      <ol className="chips">
        {sources.map((shown) => (
          <li key={shown.source.sourceId}>
            <Source {...shown} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function Source({ source, number, excerpt }: ShownSource): ReactNode {
  const say = useSay()
  const id = useId()
  const href = source.type === 'source-url' ? safeAddress(source.url) : null
  const place = source.type === 'source-url' ? source.url : source.filename
  const title = source.title || place || say('Source')
  const name = (
    <>
      <b>{number}</b>
      <span dir="auto">{title}</span>
    </>
  )
  if (!excerpt) return href ? <SourceLink href={href}>{name}</SourceLink> : <span className="chip still">{name}</span>
  return (
    <>
      <button type="button" className="chip" popoverTarget={id}>
        {name}
      </button>
      <div id={id} popover="auto" className="source-card" role="dialog" aria-label={title}>
        <p className="title" dir="auto">
          {title}
        </p>
        {place !== title && <p className="muted">{place}</p>}
        <blockquote dir="auto">{excerpt}</blockquote>
        {href && <SourceLink href={href}>{say('Open the page')}</SourceLink>}
      </div>
    </>
  )
}

const SourceLink = ({ href, children }: { href: string; children: ReactNode }): ReactNode => (
  <a className="chip" href={href} target="_blank" rel="noopener noreferrer nofollow">
    {children}
  </a>
)
