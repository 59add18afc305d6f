import { type ReactNode, useMemo, useState } from 'react'
import type { KnowledgeDocument, KnowledgeView } from '../../../contract/staff/knowledge.ts'
import { hasRight } from '../../../contract/staff/roles.ts'
import { Field, Show } from '../../parts.tsx'
import { useStaff } from '../../staff-context.ts'
import { useLoaded } from '../../use-call.ts'
import { useHash, useHashParts } from '../../use-hash.ts'
import { wordsIn } from '../topic-words.ts'
import { DocumentScreen } from './document.tsx'
import { documentAddress, newDocumentAddress } from './knowledge-address.ts'
import { NewDocument } from './new-document.tsx'
import { sizeOf } from './size.ts'
import { UploadForm } from './upload-form.tsx'
import { Websites } from './websites.tsx'

const NUMBER = new Intl.NumberFormat()
const MAX_ROWS = 200
const STATES = { answers: 'Answers', indexing: 'Being indexed', expired: 'Expired', 'left-out': 'Left out' } as const
const COLUMNS = { file: 'Document', source: 'Source', state: 'State', bytes: 'Size', passages: 'Passages', asOf: 'As of' } as const
type Column = keyof typeof COLUMNS

/** What agents answer from, one uploaded document, or the form for a new one. */
export function Knowledge(): ReactNode {
  const [, part, first = '', second = ''] = useHashParts()
  if (part === 'document') return <DocumentScreen key={first} id={first} />
  if (part === 'new') return <NewDocument key={`${first}/${second}`} words={wordsIn(first)} languages={second} />
  return <AllKnowledge />
}

function AllKnowledge(): ReactNode {
  const { session } = useStaff()
  const canChange = hasRight(session.role, 'change-knowledge')
  const { loaded, reload } = useLoaded<KnowledgeView>('knowledge')
  return (
    <>
      <p>
        What agents answer from. An agent’s file can restrict it to some folders, to a website, or to uploaded documents. Files of the
        folder are changed there, not here.
      </p>
      <Show loaded={loaded} reload={reload}>
        {(view) => (
          <>
            {view.problems.length > 0 && (
              <ul className="problems">
                {view.problems.map((problem) => (
                  <li key={problem} dir="auto">
                    {problem}
                  </li>
                ))}
              </ul>
            )}
            {canChange && (
              <>
                <p>
                  <a href={newDocumentAddress()}>Write a document</a>
                </p>
                <UploadForm limits={view.uploadLimits} onUploaded={reload} />
              </>
            )}
            <Documents documents={view.documents} isComplete={view.isComplete} />
            {view.websites.length > 0 && <Websites websites={view.websites} canChange={canChange} onChanged={reload} />}
          </>
        )}
      </Show>
    </>
  )
}

/** Filter and order, which are part of the address: `#/knowledge/?filter=…&sort=…`. */
interface ListQuery {
  filter: string
  sort: Column
  isDescending: boolean
}

function queryIn(hash: string): ListQuery {
  const query = new URLSearchParams(hash.split('?', 2)[1] ?? '')
  const sort = query.get('sort') ?? 'file'
  return {
    filter: query.get('filter') ?? '',
    sort: Object.hasOwn(COLUMNS, sort) ? (sort as Column) : 'file',
    isDescending: query.get('order') === 'descending',
  }
}

function addressOf({ filter, sort, isDescending }: ListQuery): string {
  const query = new URLSearchParams({ ...(filter && { filter }), sort, ...(isDescending && { order: 'descending' }) })
  return `#/knowledge/?${query.toString()}`
}

function Documents({ documents, isComplete }: Pick<KnowledgeView, 'documents' | 'isComplete'>): ReactNode {
  const query = queryIn(useHash())
  const [filter, setFilter] = useState(query.filter)
  const shown = useMemo(() => selected(documents, { ...query, filter }), [documents, filter, query])
  const change = (text: string) => {
    setFilter(text)
    // No entry in the history for each letter.
    history.replaceState(null, '', addressOf({ ...query, filter: text }))
  }
  return (
    <section aria-labelledby="documents" className="figures">
      <h2 id="documents">Documents</h2>
      <Field label="Filter" hint="Words of the name, the title, the source or a problem.">
        {(ids) => <input {...ids} type="search" dir="auto" value={filter} onChange={({ target }) => change(target.value)} />}
      </Field>
      <p className="muted" aria-live="polite">
        {NUMBER.format(shown.length)} of {NUMBER.format(documents.length)}
        {isComplete ? '' : ' and more'}
        {shown.length > MAX_ROWS ? `; the first ${MAX_ROWS} are shown` : ''}
      </p>
      {documents.length === 0 ? (
        <p className="notice">There are no documents yet. Upload one, or put files into the folder.</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
        <div className="table documents" tabIndex={0} role="group" aria-labelledby="documents">
          <table>
            <thead>
              <tr>
                {Object.entries(COLUMNS).map(([column, name]) => (
                  <Heading key={column} column={column as Column} name={name} query={{ ...query, filter }} />
                ))}
                <th scope="col">Problems</th>
              </tr>
            </thead>
            <tbody>
              {shown.slice(0, MAX_ROWS).map((document) => (
                <Row key={document.file} document={document} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

function Heading({ column, name, query }: { column: Column; name: string; query: ListQuery }): ReactNode {
  const isSorted = query.sort === column
  const order = query.isDescending ? 'descending' : 'ascending'
  return (
    <th scope="col" aria-sort={isSorted ? order : undefined}>
      <a href={addressOf({ ...query, sort: column, isDescending: isSorted && !query.isDescending })}>
        {name}
        {isSorted && <span aria-hidden>{query.isDescending ? ' ↓' : ' ↑'}</span>}
      </a>
    </th>
  )
}

function Row({ document }: { document: KnowledgeDocument }): ReactNode {
  const { file, title, source, state, bytes, passages, language, asOf, problems, upload } = document
  const name = upload?.name ?? file
  return (
    <tr>
      <td dir="auto">
        {upload ? <a href={documentAddress(upload.id)}>{name}</a> : name}
        {title !== null && title !== name && (
          <span className="muted second" dir="auto">
            {[title, language].filter(Boolean).join(', ')}
          </span>
        )}
      </td>
      <td>{source}</td>
      <td>{STATES[state]}</td>
      <td>{bytes === null ? '' : sizeOf(bytes)}</td>
      <td>{NUMBER.format(passages)}</td>
      <td>{asOf}</td>
      <td dir="auto">{problems.join(' ')}</td>
    </tr>
  )
}

/** Documents that have all words of the filter, in order. */
function selected(documents: readonly KnowledgeDocument[], { filter, sort, isDescending }: ListQuery): KnowledgeDocument[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const found = documents.filter((document) => {
    const { file, title, source, state, language, problems, upload } = document
    const text = [file, title, source, STATES[state], language, upload?.owner, ...problems].join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const sorted = found.toSorted((one, other) => compared(one[sort], other[sort]) || compared(one.file, other.file))
  return isDescending ? sorted.toReversed() : sorted
}

function compared(one: string | number | null, other: string | number | null): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return String(one ?? '').localeCompare(String(other ?? ''))
}
