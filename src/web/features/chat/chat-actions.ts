import { MAX_TITLE_CHARACTERS } from '../../../contract/size-limits.ts'
import type { ChatMessage } from '../../../contract/message.ts'
import type { FilePart } from '../../../contract/parts/file.ts'
import type { SessionSummary } from '../../../contract/sessions.ts'
import { fetchSession, type ChatOptions, repeatTurn } from '../../api/calls.ts'
import { pauseAfter } from '../../api/connection.ts'
import { type FailureCode, isFinal } from '../../api/failure.ts'
import type { AnswerOutcome } from '../../api/follow-answer.ts'
import { type Failed, limitedForS } from '../../api/request.ts'
import {
  type Answer,
  changes,
  type ChatSession,
  NOTHING_YET,
  type Retry,
  type Unsent,
  unsentOf,
  useApplication,
} from '../../state/application-store.ts'
import { moveDraft, NEW_CHAT, openDraftKey, prependDraft } from '../../state/drafts.ts'
import type * as KeptDrafts from '../../state/stored-drafts.ts'
import { chooseAgent, useConfiguration } from '../../state/configuration.ts'
import { readStoredAgent, readStoredSession, storeSession } from '../../state/stored-session.ts'
import type { RunningAnswer } from './running-answer.ts'
import { newSessionKey } from './session-key.ts'
import type * as TemporaryChat from './temporary-chat.ts'

/** What the chat tells whoever composes it. */
export interface ChatListener {
  /** A prompt was accepted: the server knows the visitor now, and the session under its own key. */
  promptAccepted(key: string): void
  /** An answer has ended. */
  answerEnded(): void
  /** The message box was given a text to change and send: a prompt that can't be taken now, or one from elsewhere. */
  draftGiven(): void
}

let listener: ChatListener = { promptAccepted() {}, answerEnded() {}, draftGiven() {} }
/** Ends what the page does for the open session; the server's work goes on. */
let leaving = new AbortController()
let running: RunningAnswer | null = null
/** A stop that was wanted before there was an answer to stop. */
let isStopWanted = false
/** What a temporary chat needs, loaded with the first one. */
let temporary: typeof TemporaryChat | null = null
/** What keeps drafts, loaded with the first letter. */
let keptDrafts: typeof KeptDrafts | null = null
/** The turn that could not be followed last: once more, and it is said. */
let lostTurn = ''

export function listenToChat(next: Partial<ChatListener>): void {
  listener = { ...listener, ...next }
}

/** Puts a text into the message box, for the visitor to change and send. */
export function fillIn(text: string): void {
  prependDraft(openDraftKey(useApplication.getState().currentSession), { text, files: [] })
  listener.draftGiven()
}

/** Loads what sends a prompt and follows its answer: ahead of the first prompt, while it is being written. */
export async function prepareToSend() {
  const [loaded, drafts] = await Promise.all([import('./running-answer.ts'), import('../../state/stored-drafts.ts')])
  keptDrafts = drafts
  return loaded
}

/** Keeps for a reload what is written and not sent. */
export const keepDrafts = (): void => keptDrafts?.keepDrafts()

/** Says whether the chat that the next prompt begins is a temporary one. It holds at once: no prompt is sent otherwise. */
export function setTemporary(isTemporary: boolean): void {
  changes.temporaryChanged(isTemporary)
  loadTemporary().catch(console.error)
}

/** Null when it could not be loaded. */
async function loadTemporary(): Promise<typeof TemporaryChat | null> {
  temporary ??= await import('./temporary-chat.ts').catch(() => null)
  return temporary
}

/** Leaves the open session; the next prompt begins a new one. */
export function newChat(): void {
  keptDrafts?.keepUnsent()
  leave()
  changes.sessionClosed()
}

/** Opens a session of the visitor and follows its answer, if one is being written. */
export async function openSession(key: string): Promise<void> {
  keptDrafts?.keepUnsent()
  const signal = leave()
  const agent = readStoredAgent(key)
  if (agent) chooseAgent(agent)
  changes.sessionRequested(key, readStoredSession(key))
  await load(key, signal)
}

/** Brings the open session up to date with what the list says of it, unless the page is at it already. */
export async function keepUp({ key, updatedAt, runningTurn }: Pick<SessionSummary, 'key' | 'updatedAt' | 'runningTurn'>): Promise<void> {
  const session = useApplication.getState().currentSession
  if (session?.key !== key || !isIdle(session.answer)) return
  const isNews = runningTurn ? runningTurn !== session.messages.at(-1)?.metadata?.turnId : updatedAt !== session.updatedAt
  if (isNews) await load(key, leave())
}

/** Sends a prompt in the open session, or in a new one. A failure is shown at the message; nothing is thrown. */
export async function send(prompt: string, files: readonly FilePart[] = []): Promise<void> {
  const { currentSession, acceptsPrivacyPolicy, isSendingChat } = useApplication.getState()
  if (!acceptsPrivacyPolicy || isSendingChat) return
  const signal = leave()
  const key = currentSession?.key ?? newSessionKey()
  const message: ChatMessage = { id: crypto.randomUUID(), role: 'user', parts: [...files, { type: 'text', text: prompt }] }
  if (!currentSession) moveDraft(NEW_CHAT, key)
  changes.promptAppended(key, message, prompt.slice(0, MAX_TITLE_CHARACTERS))
  await ask(key, unsentOf(message), signal)
}

/** Refusals that say that the chat has gone on without this page. */
const SETTLED_ELSEWHERE: FailureCode[] = ['session_busy', 'not_retryable', 'approval_gone']

/** Tries again what failed last in the open session, or goes on with an answer that broke off or asked. */
export async function retry(what: Retry): Promise<void> {
  const { currentSession, isSendingChat, isTemporary } = useApplication.getState()
  if (!currentSession || isSendingChat) return
  const { key } = currentSession
  const signal = leave()
  // The server no longer has the turn of a temporary chat: its prompt is sent anew.
  const way = isTemporary && 'turn' in what ? lastPrompt(currentSession) : what
  changes.answerRequested(key, way)
  if ('prompt' in way) return ask(key, way, signal)
  const answer = await begin(key, signal)
  if (!answer) return signal.aborted ? undefined : refuse(key, { code: unreachable() }, way)
  const outcome = await answer.repeat((headers) => repeatTurn(way, headers))
  if (signal.aborted) return
  // Something was said or answered elsewhere meanwhile: that is shown.
  if (!outcome.ok && SETTLED_ELSEWHERE.includes(outcome.code)) return load(key, signal)
  if (!outcome.ok) return refuse(key, outcome, way)
  changes.answerProgressed(key, outcome.value.id, NOTHING_YET)
  await follow(key, outcome.value.id, signal)
}

export async function stop(): Promise<void> {
  isStopWanted = running === null
  await running?.stop()
}

/** Takes a message that was not accepted out of the chat, for its writer to change. */
export function takeBack(): void {
  const session = useApplication.getState().currentSession
  if (session?.answer.status !== 'refused' || !('prompt' in session.answer.retry)) return
  const { code, retry: unsent } = session.answer
  giveBack(session.key, unsent, code)
  // What it was to replace is shown again.
  if (unsent.edits) reload(session.key).catch(console.error)
}

/** Shows the open session as the server has it now. */
export const reload = (key: string): Promise<void> => load(key, leave())

/** Keeps the open session for a reload. */
export function storeCurrent(): void {
  const { currentSession } = useApplication.getState()
  if (currentSession) storeSession(currentSession)
}

/** Ends what the page does for the open session, and gives the signal that ends what comes next. */
export function leave(): AbortSignal {
  leaving.abort()
  leaving = new AbortController()
  running = null
  isStopWanted = false
  temporary?.discardTemporary()
  changes.connectionRestored()
  return leaving.signal
}

/** Whether nothing is on its way, and nothing would be lost by showing what the server has. */
function isIdle(answer: Answer): boolean {
  return answer.status === 'none' || (answer.status === 'refused' && 'turn' in answer.retry)
}

/** Fetches the session, however long it takes, and follows its answer. */
async function load(key: string, signal: AbortSignal): Promise<void> {
  for (let failures = 0; ; failures++) {
    const { votes } = useApplication.getState().currentSession ?? {}
    const outcome = await fetchSession(key, signal).catch(() => null)
    if (!outcome || signal.aborted) return
    if (outcome.ok) {
      changes.connectionRestored()
      changes.sessionReceived(outcome.value, votes)
      chooseAgent(outcome.value.agent)
      storeCurrent()
      return outcome.value.runningTurn ? follow(key, outcome.value.runningTurn, signal) : undefined
    }
    const isEmpty = useApplication.getState().currentSession?.messages.length === 0
    if (isEmpty || isFinal(outcome.code)) changes.sessionUnavailable(key, outcome.code)
    if (isFinal(outcome.code)) return
    const limited = limitedForS(outcome)
    changes.connectionLost(limited)
    await pauseAfter(failures, signal, limited)
  }
}

/** Sends a prompt that is shown already, and follows its answer. */
export async function ask(key: string, unsent: Unsent, signal: AbortSignal): Promise<void> {
  const { isTemporary, isSharedComputer } = useApplication.getState()
  const isReady = !isTemporary || (await loadTemporary()) !== null
  const answer = isReady
    ? await begin(key, signal, (begun) => {
        if (isTemporary) temporary?.temporaryBegun(begun.key)
        listener.promptAccepted(begun.key)
      })
    : null
  if (!answer) return signal.aborted ? undefined : refuse(key, { code: unreachable() }, unsent)
  const agent = useConfiguration.getState()?.agent.id ?? 'me'
  const options: ChatOptions = { ...(isSharedComputer && { device: 'shared' }), ...(isTemporary && temporary?.temporaryOptions()) }
  await settle(answer, await answer.ask(agent, unsent, options, giveBack), unsent)
}

/** Follows the answer of a turn in the open session to its end. */
export async function follow(key: string, turn: string, signal: AbortSignal): Promise<void> {
  const again: Retry = { turn, how: 'retry' }
  const answer = await begin(key, signal)
  if (!answer) return signal.aborted ? undefined : refuse(key, { code: unreachable() }, again)
  await settle(answer, await answer.follow({ turn }), again)
}

/** Null when the page has left the session meanwhile, or what is needed could not be loaded. */
export async function begin(key: string, signal: AbortSignal, begun?: (answer: RunningAnswer) => void): Promise<RunningAnswer | null> {
  const loaded = await prepareToSend().catch(() => null)
  if (!loaded || signal.aborted) return null
  running = new loaded.RunningAnswer(key, signal, begun)
  if (isStopWanted) await running.stop()
  return running
}

const unreachable = (): FailureCode => (navigator.onLine ? 'network' : 'offline')

async function settle(answer: RunningAnswer, outcome: AnswerOutcome, again: Retry): Promise<void> {
  if (outcome.kind === 'left') return
  if (outcome.kind === 'refused') return settleRefused(answer, outcome, again)
  const { status, code } = outcome.message.metadata ?? {}
  if (status === 'failed' || status === 'interrupted') console.error(`The answer ended as ${status}: ${code}`)
  changes.answerAppended(answer.key, outcome.message)
  temporary?.discardTemporary()
  storeCurrent()
  listener.answerEnded()
}

async function settleRefused({ key, turn, hasBegun }: RunningAnswer, failure: Failure, again: Retry): Promise<void> {
  if ('prompt' in again && failure.code === 'session_busy') {
    giveBack(key, again)
    return load(key, leave())
  }
  const wasLost = turn !== undefined && turn === lostTurn
  lostTurn = turn ?? ''
  // The answer began and can't be followed any more: the stored session says how it came out.
  if ((hasBegun || 'turn' in again) && !wasLost && !useApplication.getState().isTemporary) return load(key, leave())
  refuse(key, failure, again)
}

function giveBack(key: string, unsent: Unsent, code?: FailureCode): void {
  keptDrafts?.withdraw(key, unsent, code)
  listener.draftGiven()
}

function lastPrompt({ messages }: ChatSession): Unsent {
  const message = messages.findLast(({ role }) => role === 'user')
  return { ...(message ? unsentOf(message) : { prompt: '' }), id: crypto.randomUUID() }
}

type Failure = Pick<Failed, 'code' | 'retryAfterS'>

function refuse(key: string, { code, retryAfterS }: Failure, again: Retry): void {
  console.error(`The prompt was not answered: ${code}`)
  changes.answerRefused(key, code, again, retryAfterS && Date.now() + retryAfterS * 1000)
}
