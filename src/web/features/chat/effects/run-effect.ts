import { deleteSession, fetchSession, stopTurn, type ChatOptions, repeatTurn, sendPrompt } from '../../../api/calls.ts'
import { pauseAfter } from '../../../api/connection.ts'
import { failureSentence, isFinal, type FailureCode } from '../../../api/failure.ts'
import { chooseBranch, regenerateAnswer } from '../../../api/message-calls.ts'
import { limitedForS, type Failed, type Outcome } from '../../../api/request.ts'
import { t } from '../../../../ui/language/translate.ts'
import { changes, chatEvents, useApplication } from '../../../state/application-store.ts'
import type { ChatEffect } from '../../../state/chat-machine/chat-effect.ts'
import type { RunnableEffect, WorkContext } from '../../../state/chat-machine/chat-machine.ts'
import { chooseAgent, useConfiguration } from '../../../state/configuration.ts'
import { moveDraft } from '../../../state/drafts.ts'
import { moveValues } from '../../../state/personal-values.ts'
import { restoreDraft, saveUnsent } from '../../../state/stored-drafts.ts'
import { storeSession } from '../../../state/stored-session.ts'
import { notify } from '../../../../ui/notification.tsx'
import { chatListener } from '../chat-listener.ts'
import type { AnswerAgain } from '../../../../contract/chat/page-context.ts'
import type { ChatMessage } from '../../../../contract/chat/message.ts'
import { textOf } from '../../../../contract/chat/message-text.ts'
import { type AnswerReader, followAnswer } from '../../../api/follow-answer.ts'
import { throttle } from './throttle.ts'
import type { Turn } from '../../../../contract/chat/sessions.ts'
import { withoutPersonalData } from '../../../../personal-data/without-personal-data.ts'
import { acceptanceOf } from '../../../state/accepted-notice.ts'
import { personalDataRules } from '../../../state/mask-text.ts'
import { usePageContext } from '../../../state/page-context.ts'
import { MAX_EARLIER_MESSAGES } from '../../../../contract/size-limits.ts'

/** Minimum time between two reports of a streaming answer: 8 a second read as well as 10, and cost a fifth less. */
const REPORT_EVERY_MS = 125

class AnswerReports implements AnswerReader {
  #hasBegun = false
  readonly #work: WorkContext
  readonly #report = throttle((message: ChatMessage) => this.#work.report({ type: 'answer-progressed', message }), REPORT_EVERY_MS)

  constructor(work: WorkContext) {
    this.#work = work
  }

  onMessage(message: ChatMessage): void {
    if (this.#work.signal.aborted) return
    if (!this.#hasBegun) this.#begin(message)
    this.#report(message)
  }

  onConnection(connection: 'live' | 'reconnecting'): void {
    this.#work.report({ type: 'connection-changed', connection })
  }

  /** Drops the report that is due. */
  end(): void {
    this.#report.cancel()
  }

  #begin({ metadata }: ChatMessage): void {
    this.#hasBegun = true
    this.#work.report({ type: 'answer-begun', turn: metadata?.turnId, promptId: metadata?.promptId, sessionId: metadata?.sessionId })
  }
}

type Effect<Type extends ChatEffect['type']> = Extract<ChatEffect, { type: Type }>

/** Aborts the parts of a request that the visitor can end before there is an answer to stop. There is at most one request at a time. */
let controls = controlsFor(null)

function controlsFor(signal: AbortSignal | null) {
  return { signal, proof: new AbortController() }
}

function controlsOf({ signal }: WorkContext) {
  if (controls.signal !== signal) controls = controlsFor(signal)
  return controls
}

const cancelProof = (_effect: unknown, work: WorkContext): void => controlsOf(work).proof.abort()

async function postPrompt(effect: Effect<'post-prompt'>, work: WorkContext): Promise<void> {
  const { key, unsent, isTemporary, failures } = effect
  const { signal } = work
  if (failures > 0) await pauseAfter(failures - 1, signal)
  if (signal.aborted) return
  const { isSharedComputer } = useApplication.getState()
  const options: ChatOptions = {
    ...contextToSend(),
    ...(isSharedComputer && { device: 'shared' }),
    ...(isTemporary ? temporaryOptions() : acceptanceOf()),
  }
  const agent = useConfiguration.getState()?.agent.id ?? 'me'
  const session = isTemporary ? '' : key
  const outcome = await withProof((headers) => sendPrompt(agent, session, unsent, options, signal, headers), work).catch(() => null)
  if (!outcome || signal.aborted) return
  if (outcome.ok) await follow({ first: outcome.value }, work)
  else refuse(outcome, work)
}

const repeatTurnOf = ({ again }: Effect<'repeat-turn'>, work: WorkContext): Promise<void> =>
  requestTurn((headers) => repeatTurn(again, headers, contextToSend()), work)

const regenerateTurn = ({ key, answer, id }: Effect<'regenerate-answer'>, work: WorkContext): Promise<void> =>
  requestTurn((headers) => regenerateAnswer(key, answer, id, contextToSend(), headers), work)

/** The description of the embedding page without personal data, unless the visitor has removed it. */
function contextToSend(): AnswerAgain {
  const { context, isRemoved } = usePageContext.getState()
  const rules = personalDataRules()
  const sent = rules ? withoutPersonalData(context, rules) : context
  return isRemoved || Object.keys(sent).length === 0 ? {} : { context: sent }
}

const followTurn = ({ turn }: Effect<'follow-turn'>, work: WorkContext): Promise<void> => follow({ turn }, work)

async function requestTurn(call: (headers?: Record<string, string>) => Promise<Outcome<Turn>>, work: WorkContext): Promise<void> {
  const outcome = await withProof(call, work)
  if (outcome.ok) work.report({ type: 'turn-accepted', turn: outcome.value.id })
  else refuse(outcome, work)
}

async function follow(start: { first: Response } | { turn: string }, work: WorkContext): Promise<void> {
  const reports = new AnswerReports(work)
  const outcome = await followAnswer(start, reports, work.signal)
  reports.end()
  if (work.signal.aborted || outcome.kind === 'left') return
  if (outcome.kind === 'ended') work.report({ type: 'answer-ended', message: outcome.message })
  else refuse(outcome, work)
}

/** Calls, and calls again with the proof of work that the server requires. */
async function withProof<T>(call: (headers?: Record<string, string>) => Promise<Outcome<T>>, work: WorkContext): Promise<Outcome<T>> {
  const outcome = await call()
  if (outcome.ok || !outcome.challenge) return outcome
  work.report({ type: 'proof-required' })
  const cancelled = AbortSignal.any([work.signal, controlsOf(work).proof.signal])
  const loaded = await import('./proof-of-work.ts').catch(() => null)
  return loaded ? loaded.withProof(outcome, call, cancelled) : outcome
}

function refuse({ code, retryAfterS, challenge }: Rejection, { report }: WorkContext): void {
  report({
    type: 'answer-rejected',
    code,
    retryAt: retryAfterS && Date.now() + retryAfterS * 1000,
    isChallenged: challenge !== undefined,
  })
}

type Rejection = { code: FailureCode } & Partial<Pick<Failed, 'retryAfterS' | 'challenge'>>

/** UTF-16 code units of earlier messages: with a prompt at its limit, the body stays within the server's limit. */
const MAX_EARLIER_CHARACTERS = 40_000

/** Options of a prompt in a temporary chat. The server does not store the earlier messages: the newest of them go with the prompt. */
const temporaryOptions = (): ChatOptions => ({ temporary: true, history: earlier() })

function earlier(): ChatOptions['history'] {
  let room = MAX_EARLIER_CHARACTERS
  return (useApplication.getState().currentSession?.messages ?? [])
    .slice(0, -1)
    .map((message) => ({ role: message.role === 'user' ? ('user' as const) : ('assistant' as const), text: textOf(message) }))
    .filter(({ text }) => text !== '')
    .slice(-MAX_EARLIER_MESSAGES)
    .reverse()
    .filter(({ text }) => (room -= text.length) >= 0)
    .reverse()
}

type Handlers = {
  [Type in RunnableEffect['type']]: (effect: Effect<Type>, work: WorkContext) => Promise<void> | void
}

const HANDLERS: Handlers = {
  'fetch-session': fetchOpenSession,
  'post-prompt': postPrompt,
  'repeat-turn': repeatTurnOf,
  'regenerate-answer': regenerateTurn,
  'follow-turn': followTurn,
  'stop-turn': stopAnswer,
  'cancel-proof': cancelProof,
  'choose-version': chooseVersion,
  'delete-session': async ({ key }) => void (await deleteSession(key)),
  'choose-agent': ({ agent }) => chooseAgent(agent),
  'store-session': () => {
    const { currentSession } = useApplication.getState()
    if (currentSession) storeSession(currentSession)
  },
  'move-draft': ({ from, to }) => {
    moveDraft(from, to)
    moveValues(from, to)
  },
  'save-unsent': ({ session }) => saveUnsent(session),
  'restore-draft': ({ key, unsent, message }) => {
    restoreDraft(key, unsent, message)
    chatListener.draftGiven()
  },
  'report-connection': ({ isLost, limitedForS: limited }) =>
    isLost ? changes.connectionLost('chat', limited) : changes.connectionRestored('chat'),
  'report-accepted': ({ key }) => chatListener.promptAccepted(key),
  'report-ended': ({ message: { metadata: { status, code } = {} } }) => {
    if (status === 'failed' || status === 'interrupted') console.error(`The answer ended as ${status}: ${code}`)
    chatListener.answerEnded()
  },
  'report-rejected': ({ code }) => console.error(`The prompt was not answered: ${code}`),
  'show-error': ({ code }) => void showError(code),
}

const showError = (code: string) => notify({ message: failureSentence(code), type: 'error' })

export function runEffect(effect: RunnableEffect, work: WorkContext): void {
  const run = async () => handlerOf(effect)(effect, work)
  run().catch(console.error)
}

const handlerOf = (effect: RunnableEffect) => HANDLERS[effect.type] as (effect: ChatEffect, work: WorkContext) => Promise<void> | void

async function fetchOpenSession({ key, pause }: Effect<'fetch-session'>, { signal, report }: WorkContext): Promise<void> {
  if (pause) await pauseAfter(pause.failures, signal, pause.leastS)
  if (signal.aborted) return
  const outcome = await fetchSession(key, signal).catch(() => null)
  if (!outcome || signal.aborted) return
  if (outcome.ok) return report({ type: 'session-received', session: outcome.value })
  const { code } = outcome
  report({ type: 'session-failed', code, isFinal: isFinal(code), limitedForS: limitedForS(outcome) })
}

async function stopAnswer({ turn }: Effect<'stop-turn'>): Promise<void> {
  const outcome = await stopTurn(turn)
  if (!outcome.ok) notify({ message: `${t('Couldn’t stop the answer.')} ${failureSentence(outcome.code)}`, type: 'error' })
}

async function chooseVersion({ key, message }: Effect<'choose-version'>): Promise<void> {
  const outcome = await chooseBranch(key, message)
  if (!outcome.ok) showError(outcome.code)
  chatEvents.dispatch({ type: 'version-settled', key })
}
