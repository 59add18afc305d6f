import { type ReactNode, useId, useState } from 'react'
import type { ChatMessagePart } from '../../../../../contract/chat/message.ts'
import { t } from '../../../../../ui/language/translate.ts'
import { Icon } from '../../../../../ui/icon.tsx'
import { SourceDate } from './source-card.tsx'
import { shownSources, type SourceDetails } from './source-details.ts'
import { SourcePopover } from './source-popover.tsx'
import './sources.css'

/** Sources shown before the list is expanded. */
const MAX_SHOWN = 6

/** The sources of an answer: the cited ones, and the others collapsed. */
export default function Sources({ parts }: { parts: readonly ChatMessagePart[] }): ReactNode {
  const { cited, searched } = shownSources(parts)
  return (
    <>
      {cited.length > 0 && (
        // No landmark, of which each answer would have one with the same name.
        <div role="group" className="sources" aria-label={t('Sources')}>
          <SourceList sources={cited} />
        </div>
      )}
      {searched.length > 0 && <AlsoSearched sources={searched} />}
    </>
  )
}

function AlsoSearched({ sources }: { sources: SourceDetails[] }): ReactNode {
  const id = useId()
  return (
    <details className="step sources">
      <summary id={id}>
        <Icon name="chevron" />
        {t.plural(sources.length, '{count} more passage', '{count} more passages')}
      </summary>
      <SourceList sources={sources} labelledBy={id} />
    </details>
  )
}

function SourceList({ sources, labelledBy }: { sources: SourceDetails[]; labelledBy?: string }): ReactNode {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? sources : sources.slice(0, MAX_SHOWN)
  const more = sources.length - shown.length
  // Listed when printed, as a paper can't be expanded.
  const rest = labelledBy ? [] : sources.slice(shown.length)
  return (
    <>
      <ol aria-labelledby={labelledBy}>
        {shown.map((source) => (
          <li key={source.number}>
            <SourceRow source={source} />
          </li>
        ))}
        {rest.map((source) => (
          <li key={source.number} className="print-only">
            <SourceRow source={source} />
          </li>
        ))}
      </ol>
      {more > 0 && (
        <button type="button" className="more-sources" onClick={() => setWhole(true)}>
          {t.plural(more, 'Show {count} more source', 'Show {count} more sources')}
        </button>
      )}
    </>
  )
}

function SourceRow({ source }: { source: SourceDetails }): ReactNode {
  const { number, label, shortSections, origin, asOf, href } = source
  return (
    <SourcePopover source={source} className="source">
      <b>{number}</b>
      <span className="label" dir="auto">
        {label || t('Source')}
      </span>
      <span className="muted">
        {shortSections !== '' && <span dir="auto">{shortSections}</span>}
        {origin !== '' && <bdi dir="ltr">{origin}</bdi>}
        {asOf !== null && <SourceDate date={asOf} />}
        {href !== null && (
          <bdi dir="ltr" className="print-only">
            {href}
          </bdi>
        )}
      </span>
    </SourcePopover>
  )
}
