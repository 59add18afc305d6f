import type { AnswerAgain } from '../../../../contract/chat/page-context.ts'
import type { ChatMessage } from '../../../../contract/chat/message.ts'
import { textOf } from '../../../../contract/chat/message-text.ts'
import { type AnswerReader, followAnswer } from '../../../api/follow-answer.ts'
import type { WorkContext } from '../../../state/chat-machine/chat-machine.ts'
import { throttle } from './throttle.ts'
import type { Turn } from '../../../../contract/chat/sessions.ts'
import { type ChatOptions, repeatTurn, sendPrompt } from '../../../api/calls.ts'
import { pauseAfter } from '../../../api/connection.ts'
import type { FailureCode } from '../../../api/failure.ts'
import { regenerateAnswer } from '../../../api/message-calls.ts'
import type { Failed, Outcome } from '../../../api/request.ts'
import { withoutPersonalData } from '../../../../personal-data/without-personal-data.ts'
import { acceptanceOf } from '../../../state/accepted-notice.ts'
import { useApplication } from '../../../state/application-store.ts'
import type { ChatEffect } from '../../../state/chat-machine/chat-effect.ts'
import { useConfiguration } from '../../../state/configuration.ts'
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

export const cancelProof = (_effect: unknown, work: WorkContext): void => controlsOf(work).proof.abort()

export async function postPrompt(effect: Effect<'post-prompt'>, work: WorkContext): Promise<void> {
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

export const repeatTurnOf = ({ again }: Effect<'repeat-turn'>, work: WorkContext): Promise<void> =>
  requestTurn((headers) => repeatTurn(again, headers, contextToSend()), work)

export const regenerateTurn = ({ key, answer, id }: Effect<'regenerate-answer'>, work: WorkContext): Promise<void> =>
  requestTurn((headers) => regenerateAnswer(key, answer, id, contextToSend(), headers), work)

/** The description of the embedding page without personal data, unless the visitor has removed it. */
function contextToSend(): AnswerAgain {
  const { context, isRemoved } = usePageContext.getState()
  const rules = personalDataRules()
  const sent = rules ? withoutPersonalData(context, rules) : context
  return isRemoved || Object.keys(sent).length === 0 ? {} : { context: sent }
}

export const followTurn = ({ turn }: Effect<'follow-turn'>, work: WorkContext): Promise<void> => follow({ turn }, work)

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
