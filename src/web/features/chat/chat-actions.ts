import { MAX_TITLE_CHARACTERS } from '../../../contract/limits.ts'
import type { ChatMessage } from '../../../contract/message.ts'
import { fetchSession, retryTurn, sendPrompt } from '../../api/calls.ts'
import type { FailureCode } from '../../api/failure.ts'
import type { AnswerOutcome } from '../../api/follow-answer.ts'
import { changes, type Retry, type Unsent, useApplication } from '../../state/application-store.ts'
import { useConfiguration } from '../../state/configuration.ts'
import { readStoredSession, storeSession } from '../../state/stored-session.ts'
import { RunningAnswer } from './running-answer.ts'
import { newSessionKey } from './session-key.ts'

/** What the chat tells whoever composes it. */
export interface ChatListener {
  /** A prompt was accepted: the server knows the visitor now, and the session under its own key. */
  promptAccepted(key: string): void
  /** An answer has ended. */
  answerEnded(): void
}

let listener: ChatListener = { promptAccepted() {}, answerEnded() {} }
/** Ends what the page does for the open session; the server's work goes on. */
let leaving = new AbortController()
let running: RunningAnswer | null = null

export function listenToChat(next: ChatListener): void {
  listener = next
}

/** Leaves the open session; the next prompt begins a new one. */
export function newChat(): void {
  leave()
  changes.sessionClosed()
}

/** Opens a session of the visitor and follows its answer, if one is being written. */
export async function openSession(key: string): Promise<void> {
  const signal = leave()
  changes.sessionRequested(key, readStoredSession(key))
  const outcome = await fetchSession(key, signal).catch(() => null)
  if (!outcome || signal.aborted) return
  if (!outcome.ok) return changes.sessionUnavailable(key, outcome.code)
  changes.sessionReceived(outcome.value)
  storeCurrent()
  const turn = outcome.value.runningTurn
  if (turn) await followTurn(key, turn, signal)
}

/** Sends a prompt in the open session, or in a new one. A failure is shown at the message; nothing is thrown. */
export async function send(prompt: string): Promise<void> {
  const { currentSession, acceptsPrivacyPolicy, isSendingChat } = useApplication.getState()
  if (!acceptsPrivacyPolicy || isSendingChat) return
  const signal = leave()
  const key = currentSession?.key ?? newSessionKey()
  const message: ChatMessage = { id: crypto.randomUUID(), role: 'user', parts: [{ type: 'text', text: prompt }] }
  changes.promptAppended(key, message, prompt.slice(0, MAX_TITLE_CHARACTERS))
  await post(key, { prompt, id: message.id }, signal)
}

/** Tries again what failed last in the open session. */
export async function retry(what: Retry): Promise<void> {
  const { currentSession, isSendingChat } = useApplication.getState()
  if (!currentSession || isSendingChat) return
  const signal = leave()
  changes.answerRequested(currentSession.key)
  if ('prompt' in what) return post(currentSession.key, what, signal)
  const outcome = await retryTurn(what.turn)
  if (signal.aborted) return
  if (!outcome.ok) return refuse(currentSession.key, outcome.code, what)
  await followTurn(currentSession.key, outcome.value.id, signal)
}

export async function stop(): Promise<void> {
  await running?.stop()
}

/** Takes a message that was not accepted out of the chat and gives back its text. */
export function takeBack(): string {
  const session = useApplication.getState().currentSession
  if (session?.answer.status !== 'refused' || !('prompt' in session.answer.retry)) return ''
  changes.promptWithdrawn(session.key)
  return session.answer.retry.prompt
}

function leave(): AbortSignal {
  leaving.abort()
  leaving = new AbortController()
  running = null
  return leaving.signal
}

async function post(key: string, unsent: Unsent, signal: AbortSignal): Promise<void> {
  const agent = useConfiguration.getState()?.agent.id ?? 'me'
  running = new RunningAnswer(key, signal, (answer) => listener.promptAccepted(answer.key))
  const answer = running
  const outcome = await sendPrompt(agent, key, unsent, signal).catch(() => null)
  if (!outcome) return
  if (!outcome.ok) return refuse(key, outcome.code, unsent)
  await settle(answer, await answer.follow({ first: outcome.value }), unsent)
}

async function followTurn(key: string, turn: string, signal: AbortSignal): Promise<void> {
  changes.answerRequested(key)
  running = new RunningAnswer(key, signal, () => undefined)
  const answer = running
  await settle(answer, await answer.follow({ turn }), { turn })
}

async function settle(answer: RunningAnswer, outcome: AnswerOutcome, again: Retry): Promise<void> {
  if (outcome.kind === 'left') return
  // The answer began and can't be followed any more: the stored session says how it came out.
  if (outcome.kind === 'refused' && (answer.hasBegun || 'turn' in again)) return openSession(answer.key)
  if (outcome.kind === 'refused') return refuse(answer.key, outcome.code, again)
  const { status, code } = outcome.message.metadata ?? {}
  if (status === 'failed' || status === 'interrupted') console.error(`The answer ended as ${status}: ${code}`)
  changes.answerAppended(answer.key, outcome.message)
  storeCurrent()
  listener.answerEnded()
}

function refuse(key: string, code: FailureCode, again: Retry): void {
  console.error(`The prompt was not answered: ${code}`)
  changes.answerRefused(key, code, again)
}

function storeCurrent(): void {
  const { currentSession } = useApplication.getState()
  if (currentSession) storeSession(currentSession)
}
