import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readPage, messagesOf } from '../scripts/page-messages.mjs'

const ROOT = join(import.meta.dirname, '..')
const ITSELF = 'test/vocabulary.test.ts'
const CODE = readAll(['src', 'test', 'bench', 'eval', 'scripts'].map((folder) => `${folder}/**/*.{ts,tsx,mjs}`))
const DOCUMENTS = readAll(['docs/**/*.md', '*.md', 'bench/*.md', 'eval/*.md'])

/** Identifiers of an earlier vocabulary, each with the standard term. */
const IDENTIFIERS: Readonly<Record<string, string>> = {
  Bell: 'PubSub',
  ringOthers: 'publishRemote',
  RedisLine: 'RedisTransport',
  Outward: 'Egress',
  createOutward: 'createEgress',
  OutwardFailure: 'EgressError',
  sendHop: 'sendRequest',
  Reach: 'AddressPolicy',
  PUBLIC_REACH: 'PUBLIC_ONLY',
  OPERATOR_REACH: 'OPERATOR_ALLOWED',
  LookSettings: 'BrandingSettings',
  lookRoutes: 'brandingRoutes',
  Turnstile: 'Semaphore',
  StartGate: 'Semaphore',
  AnswerQueue: 'Semaphore',
  Asides: 'BackgroundCompletions',
  writeAside: 'completeInBackground',
  StandIn: 'Fallback',
  standIn: 'fallback',
  runWithStandIn: 'runWithFallback',
  Offer: 'BudgetReservation',
  OfferFor: 'BudgetReservation',
  WantedHold: 'BudgetReservation',
  placeHolds: 'reserve',
  settleHolds: 'settle',
  ToldEnd: 'TurnResult',
  goOn: 'continueTurn',
  heed: 'track',
  foresee: 'check',
  BELONGINGS: 'TABLE_OWNERSHIP',
  belongingsOf: 'ownershipOf',
  askingTool: 'approvalRequiredTool',
  askingParts: 'approvalRequestParts',
  asker: 'requester',
  HeldDelta: 'BufferedDelta',
  HeldFile: 'PendingFile',
  holdFile: 'addPendingFile',
  Manner: 'ChatOptions',
  keepUp: 'syncOpenSession',
  comeBack: 'handleCallback',
  letGo: 'unpin',
  BringIn: 'ImportChats',
  GiveCodeView: 'ShowCodeView',
  TakeCodeView: 'EnterCodeView',
  KeptChat: 'CachedChat',
  useSay: 'useTranslate',
  tellIn: 'translateInto',
  LimitRefusal: 'Rejection',
  VisitorRefused: 'Rejection',
  StreamRefusal: 'Rejection',
  REFUSAL: 'REJECTION',
  refuseTurn: 'reject',
  ModelRefusal: 'ModelError',
  beatProcess: 'sendHeartbeat',
  ShownWait: 'QueueUpdates',
  usualOf: 'primaryOf',
  NetworkRefusal: 'NetworkRejection',
  NetworkRefusals: 'NetworkRejections',
  refuseUnfit: 'assertRestorable',
  refuseUse: 'assertUnused',
  refuseOtherUsers: 'assertOwner',
  LOOK_INTERVAL_MS: 'POLL_INTERVAL_MS',
  LOOK_EVERY_MS: 'SAMPLE_INTERVAL_MS',
  lookAfter: 'sweepAfter',
  heldAnswer: 'bufferedAnswer',
  setAsideRefused: 'moveFailedPrompt',
  WhoAnswers: 'AnswerSource',
  LookedAt: 'AcceptedFault',
  MODEL_PICTURES: 'MODEL_IMAGES',
  too_many_tries: 'too_many_attempts',
  website_refused: 'website_conflict',
}

/** Folders and files of an earlier vocabulary. */
const PATHS =
  /\/(bell|outward|look|guard|shelf|meaning)\/|\/(asking-tool|stand-in|belongings|held-delta|write-aside|asides|turnstile|start-gate|bring-in|give-code|take-code|come-back|kept-\w+|outside-material)\b/

/** Phrases that code, comments and documentation no longer use, each with what to write instead. */
const PHRASES: Readonly<Record<string, string>> = {
  'stand-in': 'fallback',
  'outside material': 'untrusted content',
  'asking tool': 'tool that requires approval',
  'sweeping by observation': 'lease expiry',
  whyever: 'null if none',
  'so that none may': 'an active sentence',
  'is to be heard': 'an active sentence',
  'needs a hand': 'needs attention',
  'told from them': 'identified',
  'Redis is away': 'Redis unavailable',
  'by and by': 'in batches',
}

/** What the page said before, each with what it says now. */
const PAGE_PHRASES: Readonly<Record<string, string>> = {
  'Before we talk': 'Before you start',
  'check what matters': 'Check important information.',
  'You need not say': 'What went wrong? (optional)',
  'Poor answer': 'Bad answer',
  'Answer again': 'Try again',
  'Go on from here': 'Continue',
  'Broke off': 'Incomplete',
  'is kept beside it': 'Your original stays available.',
  'Show all of it': 'Show more',
  'Nothing is said here': 'Page not found',
  'one step away': 'Go to the chat',
  'This chat is not here': 'Chat not found',
  'Take back the deletion': 'Undo',
  'Close what is open': 'Close',
  'What to do with': 'Options for',
  'As the system': 'System',
  'Speak instead of writing': 'Dictate',
  'gone when you leave it': 'not saved to your history',
  'all goes when': 'chats are erased when',
  'Bring in': 'Import chats',
  'Take it with you': 'Export',
  'Forget me': 'Delete all my data',
  'A new day begins': 'Resets at',
  'How long is it to last': 'Link expires after',
  'What comes later stays yours': 'Later messages aren’t shared.',
  'The link is made': 'Link created',
  'Somebody shared': 'Shared chat',
  'a chat of your own': 'Start your own chat',
  'Yours is kept here': 'Yours is saved.',
  'sent again by itself': 'Sending again in',
  'Do not send it': 'Cancel',
  'Such a file': 'This file type isn’t supported.',
  'User anonymous': 'Not signed in',
  'is kept': 'saved',
  'deal with this topic': 'can’t help with this topic',
  'sums over all': 'totals',
}

test.each(Object.entries(IDENTIFIERS))('code has no %s: it is %s', (identifier) => {
  const pattern = new RegExp(`(?<![\\w$-])${identifier}(?![\\w$-])`)
  expect(filesMatching(CODE, pattern)).toEqual([])
  expect(filesMatching(DOCUMENTS, pattern)).toEqual([])
})

test('files and folders have standard names', () => {
  expect([...CODE.keys(), ...DOCUMENTS.keys()].filter((path) => PATHS.test(`/${path}`))).toEqual([])
})

test.each(Object.entries(PHRASES))('nothing says “%s”: it is “%s”', (phrase) => {
  expect(filesMatching(new Map([...CODE, ...DOCUMENTS]), new RegExp(`\\b${phrase}\\b`, 'i'))).toEqual([])
})

describe('the page', () => {
  const { messages: said, plurals } = messagesOf(readPage(join(ROOT, 'src/web')))
  const messages = [...said, ...plurals.values()]

  test.each(Object.entries(PAGE_PHRASES))('does not say “%s”, but “%s”', (phrase) => {
    expect(messages.length).toBeGreaterThan(300)
    expect(messages.filter((message) => message.includes(phrase))).toEqual([])
  })
})

test('finds an identifier in code, and not in a longer word or a hyphenated one', () => {
  const pattern = /(?<![\w$-])Bell(?![\w$-])/
  expect(filesMatching(new Map([['a.ts', 'new Bell()']]), pattern)).toEqual(['a.ts'])
  expect(filesMatching(new Map([['a.ts', 'Bells, doorBell and Bell-shaped']]), pattern)).toEqual([])
})

function readAll(patterns: string[]): Map<string, string> {
  const paths = patterns.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).filter((path) => path !== ITSELF)
  return new Map(paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(ROOT, path), 'utf8')]))
}

function filesMatching(files: ReadonlyMap<string, string>, pattern: RegExp): string[] {
  return [...files].filter(([, text]) => pattern.test(text)).map(([path]) => path)
}
