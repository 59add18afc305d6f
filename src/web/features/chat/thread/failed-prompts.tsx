import type { ReactNode } from 'react'
import type { ChatMessage } from '../../../../contract/message.ts'
import type { FailedPrompt } from '../../../state/chat-session.ts'
import { regenerate, retry, withdrawPrompt } from '../chat-actions.ts'
import { useChatMode } from '../chat-mode.ts'
import { HumanMessage } from '../message/human-message.tsx'
import type { ScrollControls } from '../message/scroll-controls.ts'
import { earlierFailureOf, FailureNotice, failureOfPrompt } from './failure-notice.tsx'

const NOTHING = (): void => {}

/** Refused prompts that other messages follow, with what can be done about them. */
export function FailedPrompts({ failed, scroll }: { failed: readonly FailedPrompt[]; scroll: ScrollControls }): ReactNode {
  const { isSending } = useChatMode()
  return failed.map(({ message, ...prompt }) => {
    const failure = failureOfPrompt({ message, ...prompt })
    const resend = () => {
      retry(prompt.unsent)
      scroll.showPrompt()
    }
    return (
      <div key={message.id} className="failed-prompt">
        <HumanMessage message={message} scroll={scroll} />
        <FailureNotice
          failure={isSending ? { ...failure, retry: null } : failure}
          onRetry={resend}
          onEdit={() => withdrawPrompt(prompt.unsent.id)}
          isEarlier
        />
      </div>
    )
  })
}

/** Says why an answer has no text that other messages follow, and offers another version of it. */
export function EarlierFailure({ message, scroll }: { message: ChatMessage; scroll: ScrollControls }): ReactNode {
  const { isSending, isTemporary } = useChatMode()
  const failure = earlierFailureOf(message)
  if (!failure) return null
  const regenerateIt = () => {
    regenerate(message.id)
    scroll.showPrompt()
  }
  // The server stores no answers of a temporary chat.
  const shown = isSending || isTemporary ? { ...failure, retry: null } : failure
  return <FailureNotice failure={shown} onRetry={regenerateIt} onEdit={NOTHING} isEarlier />
}
