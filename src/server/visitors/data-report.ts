import type { DataReport } from '../../contract/rights.ts'
import { formatRetention } from '../../contract/chat/retention.ts'
import type { Access } from '../store/visitors/access.ts'
import type { Database } from '../store/engine/database.ts'
import { listAcceptedNotices } from '../store/visitors/accepted-notices.ts'
import { countEverything } from '../store/sessions/erasure.ts'
import type { Caller } from './resolve.ts'
import { type Translate, translateInto } from '../translations/translations.ts'

export interface ReportFacts {
  storage: 'sqlite' | 'postgres'
  retentionDays: number
  model: { label: string; provider: string | null }
  contact: string | null
  logLevel: string
  /** Host of the moderation endpoint; `null` if none. */
  checkedBy: string | null
  /** Whether processes publish changes through Redis. */
  redis: boolean
  /** Hosts that receive search queries to the knowledge; `null` if none. */
  lookups: string | null
  /** Whether staff can read what visitors send after accepting a notice that says so. */
  staffReading: boolean
}

interface CookieNames {
  visitor: string
  consent: string
}

/** Reports the data stored about the caller: counts from the database, and facts from the live configuration. */
export async function reportData(
  database: Database,
  facts: ReportFacts,
  { access, sub }: Caller,
  { cookies, language: wanted }: { cookies: CookieNames; language: string | undefined },
): Promise<Omit<DataReport, 'today'>> {
  const isShared = access.endsAt !== undefined
  const { text, language } = translateInto(wanted, (translate, used) => reportSentences({ ...facts, isShared, cookies }, translate, used))
  const { sees, ...sentences } = text
  return {
    language,
    visitor: sub,
    stored: await storedOf(database, access),
    acceptedNotices: sub === null ? [] : await listAcceptedNotices(database, sub),
    endsAt: access.endsAt === undefined ? null : new Date(access.endsAt).toISOString(),
    model: { ...facts.model, sees },
    contact: facts.contact,
    ...sentences,
  }
}

async function storedOf(database: Database, { owner }: Access): Promise<DataReport['stored']> {
  const counts = owner === null ? {} : await countEverything(database, owner)
  return Object.entries(counts).flatMap(([kind, count]) => (count > 0 ? [{ kind, count }] : []))
}

export interface ReportContext extends ReportFacts {
  isShared: boolean
  cookies: CookieNames
}

type ReportSentences = Pick<DataReport, 'storage' | 'retention' | 'cookies' | 'address' | 'logs'> & Pick<DataReport['model'], 'sees'>

export function reportSentences(facts: ReportContext, translate: Translate, language: string): ReportSentences {
  return {
    storage: storageOf(facts, translate),
    retention: retentionOf(facts, translate, language),
    sees: seesOf(facts, translate),
    cookies: cookiesOf(facts, translate),
    address: translate(
      'Your IP address is used to answer you. It isn’t stored. Where limits need to recognize it, a keyed hash of it is stored, with a key that changes every day.',
    ),
    logs: translate(
      'The server logs its own errors (level “{level}”). Logs contain nothing you type, and neither your key nor the IDs of your chats.',
      { level: facts.logLevel },
    ),
  }
}

function storageOf({ storage, redis }: ReportContext, translate: Translate): string {
  const place =
    storage === 'sqlite'
      ? translate('Stored in a database file on this server. Deleted data is overwritten.')
      : translate('Stored in a PostgreSQL database run by the operator. Deleted data is overwritten during cleanup.')
  return redis ? `${place} ${translate('The server’s processes notify each other through Redis that something changed, not what.')}` : place
}

function retentionOf({ retentionDays, isShared }: ReportContext, translate: Translate, language: string): string {
  const retention = translate('A chat is deleted {time} after its last message, a temporary one within a minute after its answer.', {
    time: formatRetention(retentionDays, language),
  })
  return isShared ? `${retention} ${translate('This is a shared computer: everything is deleted 2 hours after the last use.')}` : retention
}

function seesOf(facts: ReportContext, translate: Translate): string {
  if (!facts.staffReading) return recipientsOf(facts, translate)
  const staff = translate(
    'The operator’s staff can read the messages that you send after accepting the privacy notice, and the answers to them, except in temporary chats.',
  )
  return `${staff} ${recipientsOf(facts, translate)}`
}

function recipientsOf({ model: { provider }, checkedBy, lookups }: ReportContext, translate: Translate): string {
  const checks = 'Your messages and the answers are sent to {checker}, which checks them for content that isn’t allowed here.'
  const searches = 'Searches for an answer, which may contain your words, are sent to {endpoint}.'
  const sent =
    'To answer, your messages, files and the chat they belong to are sent to {provider}. Your IP address, your key and your other chats aren’t.'
  const others = [
    checkedBy !== null && translate(checks, { checker: checkedBy }),
    lookups !== null && translate(searches, { endpoint: lookups }),
  ].filter((sentence) => sentence !== false)
  if (provider !== null) return [translate(sent, { provider }), ...others].join(' ')
  const nobody = others.length > 0 ? others : [translate('Your messages aren’t sent to anyone else.')]
  return [translate('Answers are generated on this server.'), ...nobody].join(' ')
}

function cookiesOf({ isShared, cookies }: ReportContext, translate: Translate): DataReport['cookies'] {
  return [
    {
      name: cookies.visitor,
      purpose: translate('The key to your chats. The server stores only its hash.'),
      lasts: isShared ? translate('until you close the browser') : translate('30 days after your last message'),
    },
    { name: cookies.consent, purpose: translate('Your choice about the privacy notice.'), lasts: translate('180 days') },
  ]
}
