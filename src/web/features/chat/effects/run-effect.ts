import { deleteSession, fetchSession, stopTurn } from '../../../api/calls.ts'
import { pauseAfter } from '../../../api/connection.ts'
import { failureSentence, isFinal } from '../../../api/failure.ts'
import { chooseBranch } from '../../../api/message-calls.ts'
import { limitedForS } from '../../../api/request.ts'
import { t } from '../../../../ui/language/translate.ts'
import { changes, chatEvents, useApplication } from '../../../state/application-store.ts'
import type { ChatEffect } from '../../../state/chat-machine/chat-effect.ts'
import type { RunnableEffect, WorkContext } from '../../../state/chat-machine/chat-machine.ts'
import { chooseAgent } from '../../../state/configuration.ts'
import { moveDraft } from '../../../state/drafts.ts'
import { moveValues } from '../../../state/personal-values.ts'
import { restoreDraft, saveUnsent } from '../../../state/stored-drafts.ts'
import { storeSession } from '../../../state/stored-session.ts'
import { notify } from '../../../../ui/notification.tsx'
import { chatListener } from '../chat-listener.ts'
import { cancelProof, followTurn, postPrompt, regenerateTurn, repeatTurnOf } from './answer-effects.ts'

type Effect<Type extends ChatEffect['type']> = Extract<ChatEffect, { type: Type }>
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
