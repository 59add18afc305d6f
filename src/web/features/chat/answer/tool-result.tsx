import { Fragment, type ReactNode } from 'react'
import { t } from '../../../language/translate.ts'
import { adoptStyles } from '../../../ui/adopt-styles.ts'
import styles from './tool-result.css?inline'
import type { Finding, Reading } from './tool-reading.ts'

adoptStyles(styles)

/** What a tool was given or returned, for people; all of it as text. */
export function ToolReading({ reading }: { reading: Reading }): ReactNode {
  switch (reading.kind) {
    case 'text':
      return reading.text
    case 'code':
      return <code>{reading.text}</code>
    case 'truth':
      return reading.value ? t('yes') : t('no')
    case 'nothing':
      return '–'
    case 'moment':
      return momentIn(reading)
    case 'found':
      return <Findings {...reading} />
    case 'list':
      return (
        <ul>
          {reading.items.map((item, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- a result does not change
            <li key={index}>
              <ToolReading reading={item} />
            </li>
          ))}
          {reading.isCut && <li>…</li>}
        </ul>
      )
    default:
      return <Entries {...reading} />
  }
}

function Entries({ entries, isCut }: Extract<Reading, { kind: 'entries' }>): ReactNode {
  return (
    <dl className="entries">
      {entries.map(({ name, value }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a result does not change
        <Fragment key={index}>
          <dt dir="auto">{name}</dt>
          <dd dir="auto">
            <ToolReading reading={value} />
          </dd>
        </Fragment>
      ))}
      {isCut && <dt>…</dt>}
    </dl>
  )
}

function Findings({ found, isCut }: { found: Finding[]; isCut: boolean }): ReactNode {
  if (found.length === 0) return t('No results.')
  return (
    <ol className="findings">
      {found.map(({ number, title, place, excerpt }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a result does not change
        <li key={index} value={number}>
          <p dir="auto">
            <b>{title}</b>
            {place && ` · ${place}`}
          </p>
          <p className="muted" dir="auto">
            {excerpt}
          </p>
        </li>
      ))}
      {isCut && <li>…</li>}
    </ol>
  )
}

/** The time there, as the reader's language writes it; as the tool wrote it where the browser does not know the time zone. */
function momentIn({ iso, timeZone, place }: Extract<Reading, { kind: 'moment' }>): string {
  try {
    return `${place}: ${t.time(iso, { dateStyle: 'full', timeStyle: 'short', timeZone })}`
  } catch {
    return `${place}: ${iso}`
  }
}
