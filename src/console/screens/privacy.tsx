import { type ReactNode, useState } from 'react'
import type { PrivacyNotice } from '../../contract/config.ts'
import { PAGE_LANGUAGES } from '../../contract/page-languages.ts'
import type { ExpiredKind, PrivacyReport, RightUsed } from '../../contract/staff/privacy.ts'
import { PRIVACY_DAYS } from '../../contract/staff/privacy-days.ts'
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
          <Table id="readings" heads={['Time', 'Reader', 'What']}>
            {readings.map(({ at, reader, role, what, target }) => (
              <tr key={at + String(target)}>
                <th scope="row">
                  <Time at={at} />
                </th>
                <td>
                  {role ?? 'removed'} <code>{reader.slice(0, HASH_CHARACTERS)}</code>
                </td>
                <td>
                  {what} <code>{target?.slice(0, HASH_CHARACTERS)}</code>
                </td>
              </tr>
            ))}
          </Table>
        )}
      </section>
    </>
  )
}

interface CountTableProps {
  id: string
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
        <Table id={id} heads={['Day', 'What', 'Count']}>
          {counts.map(({ day, kind, count }) => (
            <tr key={day + kind}>
              <th scope="row">{DAY.format(Date.parse(day))}</th>
              <td>{names[kind] ?? kind}</td>
              <td>{count === null ? '< 5' : NUMBER.format(count)}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  )
}

function Table({ id, heads, children }: { id: string; heads: readonly string[]; children: ReactNode }): ReactNode {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboards scroll it
    <div className="table" tabIndex={0} role="group" aria-labelledby={id}>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
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
