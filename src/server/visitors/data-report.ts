import type { DataReport } from '../../contract/rights.ts'
import { keptInWords } from '../../contract/retention.ts'
import type { Access } from '../store/access.ts'
import type { Database } from '../store/database.ts'
import { countEverything } from '../store/erasure.ts'
import type { Caller } from './resolve.ts'
import { type Translate, translateInto } from './translations.ts'

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

interface CookieNames {
  visitor: string
  consent: string
}

/** What is known about the caller: counted in the database, and said from the live configuration. */
export async function reportData(
  database: Database,
  facts: ReportFacts,
  { access, sub }: Caller,
  { cookies, language: wanted }: { cookies: CookieNames; language: string | undefined },
): Promise<Omit<DataReport, 'today'>> {
  const isShared = access.endsAt !== undefined
  const { told, language } = translateInto(wanted, (say, spoken) => reportSentences({ ...facts, isShared, cookies }, say, spoken))
  const { sees, ...sentences } = told
  return {
    language,
    visitor: sub,
    stored: await storedOf(database, access),
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

/** What the report says about the caller's device, besides the installation. */
export interface ToldFacts extends ReportFacts {
  isShared: boolean
  cookies: CookieNames
}

type ReportSentences = Pick<DataReport, 'where' | 'kept' | 'cookies' | 'address' | 'logs'> & Pick<DataReport['model'], 'sees'>

/** The sentences of the report. */
export function reportSentences(facts: ToldFacts, say: Translate, language: string): ReportSentences {
  return {
    where: whereOf(facts, say),
    kept: keptOf(facts, say, language),
    sees: seesOf(facts, say),
    cookies: cookiesOf(facts, say),
    address: say(
      'Your IP address is used to answer you. It isn’t stored. Where limits need to recognize it, a keyed hash of it is stored, with a key that changes every day.',
    ),
    logs: say(
      'The server logs its own errors (level “{level}”). Logs contain nothing you type, and neither your key nor the IDs of your chats.',
      { level: facts.logLevel },
    ),
  }
}

function whereOf({ storage, redis }: ToldFacts, say: Translate): string {
  const place =
    storage === 'sqlite'
      ? say('Stored in a database file on this server. Deleted data is overwritten.')
      : say('Stored in a PostgreSQL database run by the operator. Deleted data is overwritten during cleanup.')
  return redis ? `${place} ${say('The server’s processes notify each other through Redis that something changed, not what.')}` : place
}

function keptOf({ retentionDays, isShared }: ToldFacts, say: Translate, language: string): string {
  const kept = say('A chat is deleted {time} after its last message, a temporary one within a minute after its answer.', {
    time: keptInWords(retentionDays, language),
  })
  return isShared ? `${kept} ${say('This is a shared computer: everything is deleted 2 hours after the last use.')}` : kept
}

function seesOf({ model: { provider }, checkedBy, lookups }: ToldFacts, say: Translate): string {
  const others = [
    ...(checkedBy === null
      ? []
      : [
          say('Your messages and the answers are sent to {checker}, which checks them for content that isn’t allowed here.', {
            checker: checkedBy,
          }),
        ]),
    ...(lookups === null
      ? []
      : [say('Searches for an answer, which may contain your words, are sent to {endpoint}.', { endpoint: lookups })]),
  ]
  if (provider === null) {
    const nobody = others.length > 0 ? others : [say('Your messages aren’t sent to anyone else.')]
    return [say('Answers are generated on this server.'), ...nobody].join(' ')
  }
  const sent = say(
    'To answer, your messages, files and the chat they belong to are sent to {provider}. Your IP address, your key and your other chats aren’t.',
    { provider },
  )
  return [sent, ...others].join(' ')
}

function cookiesOf({ signIn, isShared, cookies }: ToldFacts, say: Translate): DataReport['cookies'] {
  const own: DataReport['cookies'] = [
    {
      name: cookies.visitor,
      purpose: say('The key to your chats. The server stores only its hash.'),
      lasts: isShared ? say('until you close the browser') : say('30 days after your last message'),
    },
    { name: cookies.consent, purpose: say('Your choice about the privacy notice.'), lasts: say('180 days') },
  ]
  if (!signIn) return own
  return [...own, { name: 'sign-in', purpose: say('Keeps track of a sign-in while it’s in progress.'), lasts: say('a few minutes') }]
}
