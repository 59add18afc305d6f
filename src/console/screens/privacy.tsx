import type { ReactNode } from 'react'
import type { PrivacyReport } from '../../contract/staff/privacy.ts'
import { type Columns, DataTable } from '../parts/data-table.tsx'
import { Loaded, Section, Time } from '../parts/parts.tsx'
import { defineMessage, t } from '../../ui/language/translate.ts'
import { ROLE_NAMES } from '../names.ts'

const HASH_CHARACTERS = 8

export function Privacy(): ReactNode {
  return <Loaded<PrivacyReport> path="privacy">{(loaded) => <Report {...loaded} />}</Loaded>
}

function Report({ retentionDays, lastRunAt, readings, staffReading }: PrivacyReport): ReactNode {
  return (
    <>
      <Section name={t('Deleted automatically')} className="figures">
        <p>
          {t('Chats are deleted {days} days after their last message.', { days: retentionDays })}{' '}
          {lastRunAt
            ? t.with('Last run: {time}. There is one every ten minutes.', { time: <Time at={lastRunAt} /> })
            : t('It hasn’t run yet.')}
        </p>
      </Section>
      <Section name={t('Who read what')} className="figures">
        <p className="muted">
          {t('Readings by role, with their ids in the audit log. The visitor sees each of them under “My data”.')}{' '}
          {staffReading
            ? t('Staff can read what visitors hand over, and what they send after accepting the privacy notice, which says so.')
            : t('Staff can read what visitors hand over, and nothing else.')}
        </p>
        <DataTable
          name={t('Who read what')}
          rows={readings}
          empty={<p>{t('Nobody has read anything.')}</p>}
          columns={READING_COLUMNS}
          keyOf={({ at, reader, target }) => `${at} ${reader} ${target}`}
          csv="/api/staff/v1/privacy.csv"
        />
      </Section>
    </>
  )
}

type Reading = PrivacyReport['readings'][number]

/** Names of what staff read, by kind. */
const READ = { report: defineMessage('report'), chat: defineMessage('chat') } as const

const READING_COLUMNS: Columns<Reading> = {
  at: { name: defineMessage('Time'), value: ({ at }) => at, show: ({ at }) => <Time at={at} /> },
  reader: {
    name: defineMessage('Reader'),
    value: ({ role, reader }) => `${readerRole(role)} ${reader}`,
    show: ({ role, reader }) => (
      <>
        {readerRole(role)} <code>{reader.slice(0, HASH_CHARACTERS)}</code>
      </>
    ),
  },
  what: {
    name: defineMessage('What'),
    value: ({ what, target }) => [t(READ[what]), target].filter(Boolean).join(' '),
    show: ({ what, target }) => (
      <>
        {t(READ[what])} <code>{target?.slice(0, HASH_CHARACTERS)}</code>
      </>
    ),
  },
}

const readerRole = (role: Reading['role']) => (role === null ? t('removed') : t(ROLE_NAMES[role]))
