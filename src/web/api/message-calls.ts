import type { AnswerAgain } from '../../contract/chat/page-context.ts'
import type { Feedback } from '../../contract/chat/message.ts'
import type { SessionSummary, Turn } from '../../contract/chat/sessions.ts'
import { pageLanguage } from './page-language.ts'
import { requestJson } from './request.ts'

const at = (session: string, what: string) => `/api/v1/sessions/${encodeURIComponent(session)}/${what}`

/** Requests another version of an answer; returns the new turn. `id` is the idempotency key. */
export const regenerateAnswer = (session: string, message: string, id: string, context: AnswerAgain, headers?: Record<string, string>) =>
  requestJson<Turn>(at(session, 'regenerate'), {
    method: 'POST',
    body: { message, ...context },
    headers: { ...pageLanguage(), 'Idempotency-Key': id, ...headers },
  })

/** Makes the branch current that contains a message. */
export const chooseBranch = (session: string, message: string) =>
  requestJson<SessionSummary>(at(session, 'branch'), { method: 'POST', body: { message } })

export const giveFeedback = (session: string, message: string, feedback: Feedback | null) =>
  requestJson<{ feedback: Feedback | null }>(at(session, 'feedback'), {
    method: 'POST',
    body: { message, thumb: null, ...feedback },
  })
