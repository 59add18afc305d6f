import type { ReactNode } from 'react'
import { type ChatMessage, textOf } from '../../../contract/message.ts'
import { failureSentence } from '../../api/failure.ts'
import type { ChatSession, Retry } from '../../state/application-store.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'

interface Failure {
  sentence: string
  /** A stop was wanted: it is said, not mourned. */
  isStop: boolean
  retry: Retry | null
  /** Whether the message can go back into the composer: it was not accepted. */
  isUnsent: boolean
}

/** What stands below the last message when it has no complete answer; null when there is nothing to say. */
export function failureOf({ messages, answer }: ChatSession): Failure | null {
  if (answer.status === 'refused') {
    return { sentence: failureSentence(answer.code), isStop: false, retry: answer.retry, isUnsent: 'prompt' in answer.retry }
  }
  const last = messages.at(-1)
  if (answer.status !== 'none' || !last) return null
  return last.role === 'user' ? unanswered(last) : badEnd(last)
}

function unanswered({ metadata }: ChatMessage): Failure {
  const retry = metadata?.turnId ? { turn: metadata.turnId } : null
  return { sentence: 'This message has no answer yet.', isStop: false, retry, isUnsent: false }
}

function badEnd(message: ChatMessage): Failure | null {
  const { metadata } = message
  const retry = metadata?.turnId ? { turn: metadata.turnId } : null
  switch (metadata?.status) {
    case 'stopped':
      return { sentence: 'You stopped this answer.', isStop: true, retry, isUnsent: false }
    case 'interrupted':
      return { sentence: interruption(message), isStop: false, retry, isUnsent: false }
    case 'failed':
      return { sentence: failureSentence(metadata.code), isStop: false, retry, isUnsent: false }
    default:
      return null
  }
}

/** Says what is kept, which after a crash is the message alone. */
function interruption(message: ChatMessage): string {
  return `This answer was interrupted. ${textOf(message) === '' ? 'Your message is kept.' : 'What was written is kept.'}`
}

interface FailureNoticeProps {
  failure: Failure
  onRetry(retry: Retry): void
  onEdit(): void
}

/** Why there is no complete answer, at the message that it concerns, with the ways on. */
export function FailureNotice({ failure: { sentence, isStop, retry, isUnsent }, onRetry, onEdit }: FailureNoticeProps): ReactNode {
  return (
    <div className={isStop ? 'failure calm' : 'failure'} role={isStop ? 'status' : 'alert'}>
      {!isStop && <Icon name="alert" />}
      <p>{sentence}</p>
      {retry && (
        <Button look="outline" className="small" icon="retry" onClick={() => onRetry(retry)}>
          Retry
        </Button>
      )}
      {isUnsent && (
        <Button look="outline" className="small" icon="edit" onClick={onEdit}>
          Edit
        </Button>
      )}
    </div>
  )
}
