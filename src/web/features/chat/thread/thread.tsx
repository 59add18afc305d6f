import { type ReactNode, useMemo } from 'react'
import type { ChatMessage } from '../../../../contract/chat/message.ts'
import { textOf } from '../../../../contract/chat/message-text.ts'
import { t } from '../../../../ui/language/translate.ts'
import { useApplication } from '../../../state/application-store.ts'
import { type ChatSession, EMPTY_ANSWER, type FailedPrompt, type Retry } from '../../../state/chat-session.ts'
import { lazyPart } from '../../../../ui/lazy-part.ts'
import { BlocksContext } from '../../../../ui/markdown/markdown.tsx'
import { RICH_BLOCKS } from '../../../../ui/markdown/rich-blocks.ts'
import { AgentMessage } from '../answer/agent-message.tsx'
import { ChatModeContext, useChatMode } from '../chat-mode.ts'
import { FailureNotice, failureOf, earlierFailureOf, failureOfPrompt } from './failure-notice.tsx'
import { HumanMessage } from '../message/human-message.tsx'
import '../message/messages.css'
import type { ScrollControls } from '../message/scroll-controls.ts'
import { useConfiguration } from '../../../state/configuration.ts'
import { regenerate, retry, withdrawPrompt } from '../chat-actions.ts'

// Rarely needed parts are loaded on demand.
const EarlierMessages = lazyPart(() => import('./earlier-messages.tsx'))

const RobotCheck = lazyPart(() => import('./robot-check.tsx'))

/** Shown for the moment in which the session closes. */
const NO_SESSION: ChatSession = { key: '', title: '', messages: [], answer: { status: 'none' } }

interface ThreadProps {
  agentName: string
  scroll: ScrollControls
  onTopic(topic: string): void
  onRetry(retry: Retry): void
  onEdit(): void
}

/** The messages of a session, its streaming answer, and the failure of the last one. */
export function Thread({ agentName, scroll, onTopic, onRetry, onEdit }: ThreadProps): ReactNode {
  const session = useApplication((state) => state.currentSession) ?? NO_SESSION
  const isSending = useApplication((state) => state.isSendingChat)
  const isTemporary = useApplication((state) => state.isTemporary)
  const mode = useMemo(() => ({ isSending, isTemporary }), [isSending, isTemporary])
  const { messages, earlier, answer } = session
  const failure = failureOf(session)
  const streaming = answer.status === 'answering' ? answer.message : answer.status === 'sending' ? EMPTY_ANSWER : null
  // One list: an answer keeps its element when it is complete.
  const shown = streaming ? [...messages, streaming] : messages
  const isIdle = answer.status === 'none'
  const failed = failedAfter(session)
  return (
    <ChatModeContext value={mode}>
      <PrintedDate />
      {earlier && <EarlierMessages session={session.key} before={earlier} />}
      <FailedPrompts failed={failed.get(null) ?? []} scroll={scroll} />
      <BlocksContext value={RICH_BLOCKS}>
        {shown.flatMap((message, index) => {
          const isLast = index === shown.length - 1
          const after = failed.get(message.id)
          const refused = after && <FailedPrompts key={`after ${message.id}`} failed={after} scroll={scroll} />
          if (message.role === 'user') return [<HumanMessage key={message.id} message={message} scroll={scroll} />, refused]
          return [
            <AgentMessage
              key={message.id}
              message={message}
              agentName={agentName}
              isStreaming={message === streaming}
              scroll={scroll}
              isLast={isLast}
              promptToAskAbout={message === streaming ? undefined : promptToAskAbout(shown, index)}
              onTopic={isLast && isIdle ? onTopic : undefined}
              onDecide={isLast && isIdle ? onRetry : undefined}
            />,
            !isLast && textOf(message) === '' && <EarlierFailure key={`failure of ${message.id}`} message={message} scroll={scroll} />,
            refused,
          ]
        })}
      </BlocksContext>
      {answer.status === 'opening' && messages.length === 0 && <p className="muted loading">{t('Opening the chat…')}</p>}
      <p role="status" className="reconnecting muted">
        {answer.status === 'answering' && answer.connection === 'reconnecting' && t('Reconnecting… The answer continues.')}
        {answer.status === 'sending' && answer.isProving && <RobotCheck />}
      </p>
      {failure && <FailureNotice failure={failure} onRetry={onRetry} onEdit={onEdit} />}
    </ChatModeContext>
  )
}

/**
 * The prompt of an answer for which a person is offered: to a visitor who asked for one, after two answers in a row that cover nothing, and
 * after a thumb down; or whom staff were asked about already.
 */
function promptToAskAbout(messages: readonly ChatMessage[], index: number): ChatMessage | undefined {
  const prompt = messages[index - 1]
  if (prompt?.role !== 'user') return undefined
  if (prompt.metadata?.askedStaff || prompt.metadata?.corrections) return prompt
  const { state, fixedReply, feedback } = messages[index]?.metadata ?? {}
  const isRepeated = state === 'not_covered' && messages[index - 2]?.metadata?.state === 'not_covered'
  const isAsked = fixedReply === 'person' || (state === 'referred' && !fixedReply)
  return index === messages.length - 1 && (isAsked || isRepeated || feedback?.thumb === 'down') ? prompt : undefined
}

/** Failed prompts by the message above them; under `null` those above all messages, or whose place isn't loaded. */
function failedAfter({ failed = [], messages }: ChatSession): Map<string | null, FailedPrompt[]> {
  return Map.groupBy(failed, ({ after }) => messages.find(({ id }) => id === after)?.id ?? null)
}

/** The site and the day of the chat's last message, below the title of a printed chat. */
function PrintedDate(): ReactNode {
  const name = useConfiguration((configuration) => configuration?.name)
  const updatedAt = useApplication(({ currentSession }) => currentSession?.updatedAt)
  return (
    <p className="print-only muted">
      {name} · {t.time(updatedAt ?? new Date(), { dateStyle: 'long' })}
    </p>
  )
}

const NOTHING = (): void => {}

/** Refused prompts that other messages follow, with what can be done about them. */
function FailedPrompts({ failed, scroll }: { failed: FailedPrompt[]; scroll: ScrollControls }): ReactNode {
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
          failure={isSending && !failure.retryAt ? { ...failure, retry: null } : failure}
          onRetry={resend}
          onEdit={() => withdrawPrompt(prompt.unsent.id)}
          isEarlier
        />
      </div>
    )
  })
}

/** Says why an answer has no text that other messages follow, and offers another version of it. */
function EarlierFailure({ message, scroll }: { message: ChatMessage; scroll: ScrollControls }): ReactNode {
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
