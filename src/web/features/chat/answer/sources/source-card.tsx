import type { ReactNode } from 'react'
import { t } from '../../../../../ui/language/translate.ts'
import { sentencesOf } from '../../../../../text/sentences.ts'
import { oneLine, type SourceDetails } from './source-details.ts'
import { addressOfQuote } from './text-fragment.ts'

/** Details of a source. Uses phrasing content only, because citations are inside paragraphs. */
export function SourceCard({ source, id }: { source: SourceDetails; id: string }): ReactNode {
  const { number, label, sections, quote, said, asOf, href, origin } = source
  return (
    <>
      <span id={`${id}-title`} className="title">
        <b>{number}</b> <span dir="auto">{label || t('Source')}</span>
      </span>
      {sections !== '' && (
        <span className="sections" dir="auto">
          {sections}
        </span>
      )}
      <span className="origin">
        {origin !== '' && <bdi dir="ltr">{origin}</bdi>}
        {href !== null && (
          <a href={addressOfQuote(href, quote)} target="_blank" rel="noopener noreferrer nofollow">
            {t('Open document')}
          </a>
        )}
        {asOf !== null && <SourceDate date={asOf} />}
      </span>
      {quote !== '' && (
        <q id={`${id}-quote`} dir="auto">
          {sentencesOf(quote).map((sentence, index) => (said.includes(oneLine(sentence)) ? <mark key={index}>{sentence}</mark> : sentence))}
        </q>
      )}
    </>
  )
}

/** Date of a source; `date` is an ISO date. */
export function SourceDate({ date }: { date: string }): ReactNode {
  return <time dateTime={date}>{t('As of {day}', { day: t.time(date, { dateStyle: 'medium', timeZone: 'UTC' }) })}</time>
}
