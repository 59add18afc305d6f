import { type ReactNode, useState } from 'react'
import { AUDIT_ACTIONS, type AuditAction } from '../../contract/staff/audit-actions.ts'
import type { AuditPage, AuditVerdict } from '../../contract/staff/people.ts'
import { defineMessage, type MessageText, t } from '../../ui/language/translate.ts'
import { call } from '../api.ts'
import { type Columns, DataTable } from '../parts/data-table.tsx'
import { ActionButton, Loaded, Time } from '../parts/parts.tsx'
import { useHash } from '../use-hash.ts'

type Entry = AuditPage['entries'][number]

const AREAS: Readonly<Record<string, MessageText>> = {
  all: defineMessage('All'),
  document: defineMessage('Documents'),
  website: defineMessage('Websites'),
  agent: defineMessage('Agents'),
  approved: defineMessage('Approved answers'),
  stop: defineMessage('Stops'),
  banner: defineMessage('Banner'),
  limit: defineMessage('Limits'),
  topic: defineMessage('Topics'),
  report: defineMessage('Reports'),
  chat: defineMessage('Chats'),
  correction: defineMessage('Corrections'),
  token: defineMessage('Tokens'),
  webhook: defineMessage('Webhooks'),
  staff: defineMessage('Staff'),
}

/** Who did what, newest first. The address has the filters, so a link shows the same. */
export function AuditLog(): ReactNode {
  const [, namedArea, namedActor] = useHash().split('/')
  const [area, actor] = [namedArea || 'all', namedActor || 'all']
  const addressOf = (chosenArea: string, chosenActor: string) => `#/audit/${chosenArea}/${chosenActor}`
  const filters = new URLSearchParams({ ...(area !== 'all' && { area }), ...(actor !== 'all' && { actor }) }).toString()
  return (
    <>
      <p>
        {t(
          'Everything that staff and operators do is recorded here. Entries refer to things by a hash: no text of visitors is in the log.',
        )}
      </p>
      <Check />
      <div className="ranges" role="group" aria-label={t('Actions')}>
        {Object.entries(AREAS).map(([one, name]) => (
          <a key={one} href={addressOf(one, actor)} aria-current={one === area ? 'true' : undefined}>
            {t(name)}
          </a>
        ))}
        {actor !== 'all' && <a href={addressOf(area, 'all')}>{t('Show everyone')}</a>}
      </div>
      <Loaded<AuditPage> key={filters} path={`audit?${filters}`}>
        {(page) => <Entries first={page} filters={filters} columns={entryColumns((one) => addressOf(area, one))} />}
      </Loaded>
    </>
  )
}

function Check(): ReactNode {
  const [verdict, setVerdict] = useState<AuditVerdict | null>(null)
  return (
    <div className="check">
      <ActionButton act={async () => setVerdict(await call<AuditVerdict>('GET', 'audit/check'))}>{t('Check the log')}</ActionButton>
      <p role="status" className={verdict?.isIntact === false ? 'error' : 'good'}>
        {verdict && sentenceOf(verdict)}
      </p>
    </div>
  )
}

function sentenceOf({ isIntact, entries, brokenAt }: AuditVerdict): string {
  if (isIntact) return t('No entry was changed or removed: {count} in all.', { count: entries ?? 0 })
  return t('Entry {number} was changed or removed, or written with another installation key. Compare the log with a backup.', {
    number: brokenAt ?? 0,
  })
}

const actorName = (entry: Entry) =>
  entry.actor.startsWith('token:')
    ? t('Token {name}', { name: entry.actorName ?? entry.actor.slice('token:'.length) })
    : (entry.actorName ?? (entry.actor === 'operator' ? t('Server administrator') : t('Someone who was removed')))
const actionName = ({ action }: Entry) => (action in AUDIT_ACTIONS ? t(AUDIT_ACTIONS[action as AuditAction]) : action)

/** Columns with links to the entries of one person. */
function entryColumns(addressOf: (actor: string) => string): Columns<Entry> {
  return {
    number: { name: defineMessage('No.'), value: ({ number }) => number },
    when: { name: defineMessage('When'), value: ({ at }) => at, show: ({ at }) => <Time at={at} /> },
    who: { name: defineMessage('Who'), value: actorName, show: (entry) => <a href={addressOf(entry.actor)}>{actorName(entry)}</a> },
    what: { name: defineMessage('What'), value: actionName },
  }
}

interface EntriesProps {
  first: AuditPage
  filters: string
  columns: Columns<Entry>
}

function Entries({ first, filters, columns }: EntriesProps): ReactNode {
  const [older, setOlder] = useState<AuditPage[]>([])
  const pages = [first, ...older]
  const before = pages.at(-1)?.before ?? null
  const showOlder = async () => {
    const page = await call<AuditPage>('GET', `audit?${filters}&before=${before}`)
    setOlder((known) => [...known, page])
  }
  return (
    <>
      <DataTable
        name={t('Entries')}
        rows={pages.flatMap(({ entries }) => entries)}
        empty={<p className="muted">{t('No entries.')}</p>}
        columns={columns}
        keyOf={({ number }) => String(number)}
        csv={`/api/staff/v1/audit.csv?${filters}`}
        maxRows={Number.POSITIVE_INFINITY}
        isPartial={before !== null}
        filterHint={t('Searches the entries below. The links above choose from the whole log.')}
      />
      {before !== null && <ActionButton act={showOlder}>{t('Show older entries')}</ActionButton>}
    </>
  )
}
