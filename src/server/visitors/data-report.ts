import type { DataReport } from '../../contract/rights.ts'
import { keptInWords } from '../../contract/retention.ts'
import type { Access } from '../store/access.ts'
import type { Database } from '../store/database.ts'
import { countEverything } from '../store/erasure.ts'
import type { Caller } from './resolve.ts'

export interface ReportFacts {
  storage: 'sqlite' | 'postgres'
  retentionDays: number
  model: { label: string; provider: string | null }
  contact: string | null
  logLevel: string
  /** Who receives texts to check them; null when nobody does. */
  checkedBy: string | null
  /** Whether visitors can sign in with a provider. */
  signIn: boolean
  /** Whether processes tell each other of changes through Redis. */
  redis: boolean
  /** Who is sent what is looked up in the knowledge for an answer; null when nobody is. */
  lookups: string | null
}

/** What is known about the caller: counted in the database, and said from the live configuration. */
export async function reportData(
  database: Database,
  facts: ReportFacts,
  { access, sub }: Caller,
  cookies: { visitor: string; consent: string },
): Promise<Omit<DataReport, 'today'>> {
  return {
    visitor: sub,
    stored: await storedOf(database, access),
    where: whereOf(facts),
    kept: keptOf(facts, access),
    endsAt: access.endsAt === undefined ? null : new Date(access.endsAt).toISOString(),
    model: { ...facts.model, sees: seesOf(facts) },
    cookies: cookiesOf(facts, access, cookies),
    address:
      'Your network address is used to answer you. It is not stored; where limits need to know it again, a keyed hash of it is kept, under a key that changes every day.',
    logs: `The server logs its own faults (level “${facts.logLevel}”). Logs hold nothing of what you write, and neither your key nor the ids of your chats.`,
    contact: facts.contact,
  }
}

async function storedOf(database: Database, { owner }: Access): Promise<DataReport['stored']> {
  const counts = owner === null ? {} : await countEverything(database, owner)
  return Object.entries(counts).flatMap(([kind, count]) => (count > 0 ? [{ kind, count }] : []))
}

function whereOf({ storage, redis }: ReportFacts): string {
  const place =
    storage === 'sqlite'
      ? 'In a database file on this server; what is deleted is overwritten.'
      : 'In a PostgreSQL database that the operator runs; what is deleted is overwritten when it cleans up.'
  return redis ? `${place} Its processes tell each other through Redis that something changed, not what.` : place
}

function keptOf({ retentionDays }: ReportFacts, { endsAt }: Access): string {
  const kept = `A chat is deleted ${keptInWords(retentionDays)} after its last message, a temporary one within a minute after its answer.`
  return endsAt === undefined ? kept : `${kept} This is a shared computer: everything is deleted 2 hours after the last use.`
}

function seesOf({ model, checkedBy, lookups }: ReportFacts): string {
  const others = [
    ...(checkedBy === null ? [] : [`What is written and answered is sent to ${checkedBy}, which checks it for what may not be said here.`]),
    ...(lookups === null ? [] : [`What is looked up for an answer, perhaps in your words, is sent to ${lookups}.`]),
  ]
  if (model.provider === null)
    return ['Answers are made inside this server.', ...(others.length > 0 ? others : ['Your prompts are sent to nobody.'])].join(' ')
  const sent = `To answer, your prompts, files and the chat they belong to are sent to ${model.provider}.`
  return [sent, 'Your address, your key and your other chats are not.', ...others].join(' ')
}

function cookiesOf({ signIn }: ReportFacts, { endsAt }: Access, names: { visitor: string; consent: string }): DataReport['cookies'] {
  const own: DataReport['cookies'] = [
    {
      name: names.visitor,
      purpose: 'The key that opens your chats; the server stores only its hash.',
      lasts: endsAt === undefined ? '30 days after the last prompt' : 'until the browser is closed',
    },
    { name: names.consent, purpose: 'What you decided about the privacy notice.', lasts: '180 days' },
  ]
  return signIn ? [...own, { name: 'sign-in', purpose: 'Holds a sign-in together while it lasts.', lasts: 'a few minutes' }] : own
}
