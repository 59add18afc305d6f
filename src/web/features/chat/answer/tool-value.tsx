import { Fragment, type ReactNode } from 'react'
import { t } from '../../../../ui/language/translate.ts'
import './tool-value.css'
import type { SearchHit, DisplayValue } from './display-value.ts'

/** The input or result of a tool, formatted; all of it as text. */
export function ToolValue({ value }: { value: DisplayValue }): ReactNode {
  switch (value.kind) {
    case 'text':
      return value.text
    case 'code':
      return <code>{value.text}</code>
    case 'boolean':
      return value.value ? t('yes') : t('no')
    case 'empty':
      return '–'
    case 'hits':
      return <SearchHits {...value} />
    case 'list':
      return (
        <ul>
          {value.items.map((item, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- a result does not change
            <li key={index}>
              <ToolValue value={item} />
            </li>
          ))}
          {value.isCut && <li>…</li>}
        </ul>
      )
    default:
      return <Entries {...value} />
  }
}

function Entries({ entries, isCut }: Extract<DisplayValue, { kind: 'entries' }>): ReactNode {
  return (
    <dl className="entries">
      {entries.map(({ name, value }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a result does not change
        <Fragment key={index}>
          <dt dir="auto">{name}</dt>
          <dd dir="auto">
            <ToolValue value={value} />
          </dd>
        </Fragment>
      ))}
      {isCut && <dt>…</dt>}
    </dl>
  )
}

function SearchHits({ hits, isCut }: { hits: SearchHit[]; isCut: boolean }): ReactNode {
  if (hits.length === 0) return t('No results.')
  return (
    <ol className="findings">
      {hits.map(({ number, title, place, excerpt }, index) => (
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
