import { type ReactNode, useState } from 'react'
import type { PrivacyNotice } from '../../contract/config.ts'
import { PAGE_LANGUAGES } from '../../contract/page-languages.ts'
import type { ExpiredKind, PrivacyReport, RightUsed } from '../../contract/staff/privacy.ts'
import { PRIVACY_DAYS, type PrivacyTable } from '../../contract/staff/privacy-days.ts'
import { type Columns, DataTable } from '../data-table.tsx'
import { MarkdownPreview } from '../markdown-preview.tsx'
import { Field, Show, Time } from '../parts.tsx'
import { useLoaded } from '../use-call.ts'

const NUMBER = new Intl.NumberFormat()
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
const HASH_CHARACTERS = 8

const RIGHTS: Readonly<Record<RightUsed, string>> = {
  all_data_deleted: 'Deleted all data',
  all_chats_deleted: 'Deleted all chats',
  chat_deleted: 'Deleted a chat',
  all_data_exported: 'Exported all chats',
  chat_exported: 'Exported a chat',
  report_withdrawn: 'Withdrew a report',
}
const EXPIRED: Readonly<Record<ExpiredKind, string>> = {
  chats: 'Chats past their retention',
  visitors: 'Visitors without chats',
  files: 'Files that were not sent',
  temporary_chats: 'Temporary chats',
  shared_devices: 'Visitors on shared computers',
  shared_links: 'Shared links',
  reports: 'Reports',
}

/** What happens to visitors' data, as counts. */
export function Privacy(): ReactNode {
  const report = useLoaded<PrivacyReport>('privacy')
  return (
    <>
      <p>
        What visitors do with their data, what is deleted by itself, and who reads what. Days are those of UTC, of the last {PRIVACY_DAYS}.
        Nothing here names a visitor, and counts of fewer than five are shown as “&lt; 5”.
      </p>
      <Show {...report}>{(loaded) => <Report {...loaded} />}</Show>
      <Notice />
    </>
  )
}

function Report({ rights, expired, retentionDays, lastRunAt, readings, staffReading }: PrivacyReport): ReactNode {
  return (
    <>
      <CountTable id="rights" name="Deletions and exports by visitors" counts={rights} names={RIGHTS} empty="None yet." />
      <CountTable
        id="expired"
        name="Deleted by itself"
        counts={expired}
        names={EXPIRED}
        empty="Nothing yet."
        note={
          <>
            Chats are deleted {retentionDays} days after their last message.{' '}
            {lastRunAt ? (
              <>
                Last run: <Time at={lastRunAt} />. There is one every ten minutes.
              </>
            ) : (
              'There was no run yet.'
            )}
          </>
        }
      />
      <section aria-labelledby="readings" className="figures">
        <h2 id="readings">Who read what</h2>
        <p className="muted">
          Readings by role, with the ids of the audit log. Each of them is told to its visitor under “My data”.{' '}
          {staffReading
            ? 'Staff can read what visitors hand over, and what they send after accepting the notice below, which says so.'
            : 'Staff can read what visitors hand over, and nothing else.'}
        </p>
        {readings.length === 0 ? (
          <p>Nobody has read anything.</p>
        ) : (
          <DataTable
            id="readings"
            name="Who read what"
            rows={readings}
            columns={READING_COLUMNS}
            keyOf={({ at, reader, target }) => `${at} ${reader} ${target}`}
            csv={csvOf('readings')}
          />
        )}
      </section>
    </>
  )
}

interface CountTableProps {
  id: PrivacyTable
  name: string
  counts: PrivacyReport['rights']
  names: Readonly<Record<string, string>>
  empty: string
  note?: ReactNode
}

function CountTable({ id, name, counts, names, empty, note }: CountTableProps): ReactNode {
  return (
    <section aria-labelledby={id} className="figures">
      <h2 id={id}>{name}</h2>
      {note && <p className="muted">{note}</p>}
      {counts.length === 0 ? (
        <p>{empty}</p>
      ) : (
        <DataTable id={id} name={name} rows={counts} columns={countColumns(names)} keyOf={({ day, kind }) => day + kind} csv={csvOf(id)} />
      )}
    </section>
  )
}

type Reading = PrivacyReport['readings'][number]
type Count = PrivacyReport['rights'][number]

const csvOf = (table: PrivacyTable) => `/api/staff/v1/privacy.csv?table=${table}`

const READING_COLUMNS: Columns<Reading> = {
  at: { name: 'Time', value: ({ at }) => at, show: ({ at }) => <Time at={at} /> },
  reader: {
    name: 'Reader',
    value: ({ role, reader }) => `${role ?? 'removed'} ${reader}`,
    show: ({ role, reader }) => (
      <>
        {role ?? 'removed'} <code>{reader.slice(0, HASH_CHARACTERS)}</code>
      </>
    ),
  },
  what: {
    name: 'What',
    value: ({ what, target }) => [what, target].filter(Boolean).join(' '),
    show: ({ what, target }) => (
      <>
        {what} <code>{target?.slice(0, HASH_CHARACTERS)}</code>
      </>
    ),
  },
}

function countColumns(names: Readonly<Record<string, string>>): Columns<Count> {
  return {
    day: { name: 'Day', value: ({ day }) => day, show: ({ day }) => DAY.format(Date.parse(day)) },
    what: { name: 'What', value: ({ kind }) => names[kind] ?? kind },
    count: { name: 'Count', value: ({ count }) => count, show: ({ count }) => (count === null ? '< 5' : NUMBER.format(count)) },
  }
}

/** The privacy notice as visitors read it. */
function Notice(): ReactNode {
  const [language, setLanguage] = useState('en')
  const notice = useLoaded<PrivacyNotice>(`privacy/notice?language=${language}`)
  const names = new Intl.DisplayNames(undefined, { type: 'language' })
  return (
    <section aria-labelledby="notice" className="figures">
      <h2 id="notice">Privacy notice</h2>
      <Field label="Language" hint="As visitors read it. A notice of your own (PRIVACY_NOTICE_FILE) has one language.">
        {(ids) => (
          <select {...ids} value={language} onChange={({ target }) => setLanguage(target.value)}>
            {PAGE_LANGUAGES.map((one) => (
              <option key={one} value={one}>
                {names.of(one)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Show {...notice}>
        {({ version, markdown, language: written }) => (
          <>
            <p className="muted">
              Version <code>{version}</code>. With another version, visitors are asked for their consent again.
            </p>
            <div lang={written ?? undefined}>
              {/* Its headings begin at the second level, which would skip one here. */}
              <MarkdownPreview text={markdown.replaceAll(/^#(?=#)/gm, '')} />
            </div>
          </>
        )}
      </Show>
    </section>
  )
}
