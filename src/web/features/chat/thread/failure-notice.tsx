import type { ReactNode } from 'react'
import type { ChatMessage } from '../../../../contract/chat/message.ts'
import { textOf } from '../../../../contract/chat/message-text.ts'
import { emptyAnswerSentence, failureSentence } from '../../../api/failure.ts'
import { t } from '../../../../ui/language/translate.ts'
import { useApplication } from '../../../state/application-store.ts'
import type { ChatSession, FailedPrompt, Retry } from '../../../state/chat-session.ts'
import { Button } from '../../../../ui/button.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { lazyPart } from '../../../../ui/lazy-part.ts'

interface Failure {
  sentence: string
  /** `calm` after a stop, `gentle` after an interruption with saved text. */
  look: 'calm' | 'gentle' | 'bad'
  retry: Retry | null
  /** When a retry makes sense, in milliseconds since the epoch. */
  retryAt?: number | undefined
  /** Continues from the saved text, if there is any. */
  continuation?: Retry | null
  /** Whether the message can return to the composer, because it was not accepted. */
  isUnsent: boolean
}

/** The notice below the last message if it has no complete answer; `null` if it has one. */
export function failureOf({ messages, answer }: ChatSession): Failure | null {
  if (answer.status === 'rejected') {
    const { code, retry, retryAt } = answer
    return { sentence: failureSentence(code), look: 'bad', retry, retryAt, isUnsent: 'prompt' in retry }
  }
  const last = messages.at(-1)
  if (answer.status !== 'none' || !last) return null
  const turn = last.metadata?.turnId
  const isWritten = last.role === 'assistant' && textOf(last).trim() !== ''
  const ways = {
    retry: turn ? { turn, how: 'retry' as const } : null,
    continuation: turn && isWritten ? { turn, how: 'continue' as const } : null,
    isUnsent: false,
  }
  const sentence = last.role === 'user' ? t('This message has no answer yet.') : badEnd(last, isWritten)
  return sentence === null ? null : { sentence, look: lookOf(last), ...ways }
}

function lookOf({ metadata }: ChatMessage): Failure['look'] {
  if (metadata?.status === 'stopped') return 'calm'
  return metadata?.status === 'interrupted' || metadata?.status === 'done' ? 'gentle' : 'bad'
}

/** The message about an incomplete answer; `null` for a complete one. */
function badEnd({ metadata }: ChatMessage, isWritten: boolean): string | null {
  switch (metadata?.status) {
    case 'stopped':
      return t('You stopped this answer.')
    case 'interrupted':
      if (metadata.code === 'suspended') return failureSentence(metadata.code)
      return isWritten
        ? t('This answer was interrupted. The text so far is saved.')
        : t('This answer was interrupted. Your message is saved.')
    default:
      if (!metadata?.code) return null
      return isWritten ? failureSentence(metadata.code) : emptyAnswerSentence(metadata.code)
  }
}

/** The notice of an answer without text that other messages follow; `null` if it is complete, or was stopped. */
export function earlierFailureOf(message: ChatMessage): Failure | null {
  const { status, turnId } = message.metadata ?? {}
  const sentence = status === 'failed' || status === 'interrupted' ? badEnd(message, false) : null
  const retry = turnId ? { turn: turnId, how: 'retry' as const } : null
  return sentence === null ? null : { sentence, look: lookOf(message), retry, isUnsent: false }
}

export const failureOfPrompt = ({ code, unsent, retryAt }: FailedPrompt): Failure => ({
  sentence: failureSentence(code),
  look: 'bad',
  retry: unsent,
  retryAt,
  isUnsent: true,
})

interface FailureNoticeProps {
  failure: Failure
  onRetry(retry: Retry): void
  onEdit(): void
  /** Other messages follow, so it isn't announced again. */
  isEarlier?: boolean
}

// Offline, the plain button stands in for it.
const RetryCountdown = lazyPart(
  () => import('./retry-countdown.tsx'),
  ({ children }) => children,
)

export function FailureNotice({
  failure: { sentence, look, retry, retryAt, continuation, isUnsent },
  onRetry,
  onEdit,
  isEarlier = false,
}: FailureNoticeProps): ReactNode {
  // The server does not store the messages of a temporary chat.
  const isTemporary = useApplication((state) => state.isTemporary)
  const retryButton = retry && (
    <Button variant="outline" className="small" icon="retry" onClick={() => onRetry(retry)}>
      {t('Retry')}
    </Button>
  )
  return (
    <div className={`failure ${look}`} role={isEarlier ? 'note' : look === 'calm' ? 'status' : 'alert'}>
      {look === 'bad' && <Icon name="alert" />}
      <p>{sentence}</p>
      {continuation && !isTemporary && (
        <Button variant="outline" className="small" icon="down" onClick={() => onRetry(continuation)}>
          {t('Continue')}
        </Button>
      )}
      {!retryAt && retryButton}
      {retry && retryAt && (
        <RetryCountdown key={retryAt} retry={retry} retryAt={retryAt}>
          {retryButton}
        </RetryCountdown>
      )}
      {isUnsent && (
        <Button variant="outline" className="small" icon="edit" onClick={onEdit}>
          {t('Edit')}
        </Button>
      )}
    </div>
  )
}
