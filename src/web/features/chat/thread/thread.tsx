import { memo, type ReactNode, Suspense, useMemo, useRef } from 'react'
import type { ChatMessage } from '../../../../contract/message.ts'
import { useTranslate } from '../../../language/translate.ts'
import { useApplication } from '../../../state/application-store.ts'
import { type ChatSession, EMPTY_ANSWER, type Retry } from '../../../state/chat-session.ts'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { CodeBlock } from '../../../ui/markdown/code-block.tsx'
import { CodeContext } from '../../../ui/markdown/markdown.tsx'
import { AgentMessage } from '../answer/agent-message.tsx'
import { ChatModeContext } from '../chat-mode.ts'
import { FailureNotice, failureOf } from './failure-notice.tsx'
import { useSettledSession } from '../answer/streaming-answer.ts'
import { HumanMessage } from '../message/human-message.tsx'
import '../message/message-styles.ts'
import { groupMessages, type MessageGroup } from './message-groups.ts'
import type { ScrollControls } from '../message/scroll-controls.ts'

// Rarely needed parts are loaded on demand.
const EarlierMessages = lazyPart(() => import('./earlier-messages.tsx'))

const RobotCheck = lazyPart(() => import('./robot-check.tsx'))
const QueuePositionNotice = lazyPart(() => import('./queue-position.tsx'))

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
  const t = useTranslate()
  const session = useSettledSession() ?? NO_SESSION
  const isSending = useApplication((state) => state.isSendingChat)
  const isTemporary = useApplication((state) => state.isTemporary)
  const mode = useMemo(() => ({ isSending, isTemporary }), [isSending, isTemporary])
  const { messages, earlier, answer } = session
  const failure = failureOf(session)
  const streaming = answer.status === 'answering' ? answer.message : answer.status === 'sending' ? EMPTY_ANSWER : null
  // One list: an answer keeps its element when it is complete.
  const shown = streaming ? [...messages, streaming] : messages
  const groups = useRef<MessageGroup[]>([])
  groups.current = groupMessages(shown, groups.current)
  const isIdle = answer.status === 'none'
  return (
    <ChatModeContext value={mode}>
      {earlier && (
        <Suspense fallback={null}>
          <EarlierMessages session={session.key} before={earlier} />
        </Suspense>
      )}
      <CodeContext value={CodeBlock}>
        {groups.current.map((group, index) => {
          const isLast = index === groups.current.length - 1
          const end = isLast ? { streaming, onTopic: isIdle ? onTopic : undefined, onDecide: isIdle ? onRetry : undefined } : null
          return <Messages key={group.key} group={group} agentName={agentName} scroll={scroll} end={end} />
        })}
      </CodeContext>
      {answer.status === 'opening' && messages.length === 0 && <p className="muted loading">{t('Opening the chat…')}</p>}
      <p role="status" className="reconnecting muted">
        {answer.status === 'answering' && answer.connection === 'reconnecting' && t('Reconnecting… The answer continues.')}
        {answer.status === 'sending' && answer.checked !== undefined && !answer.place && (
          <Suspense fallback={null}>
            <RobotCheck share={answer.checked} />
          </Suspense>
        )}
        {answer.status === 'sending' && answer.place && (
          <Suspense fallback={null}>
            <QueuePositionNotice place={answer.place} />
          </Suspense>
        )}
      </p>
      {failure && <FailureNotice failure={failure} onRetry={onRetry} onEdit={onEdit} />}
    </ChatModeContext>
  )
}

interface MessagesProps {
  group: MessageGroup
  agentName: string
  scroll: ScrollControls
  /** Set for the group of the last message. */
  end: {
    streaming: ChatMessage | null
    onTopic: ((topic: string) => void) | undefined
    onDecide: ((way: Retry) => void) | undefined
  } | null
}

const Messages = memo(function Messages({ group: { messages }, agentName, scroll, end }: MessagesProps): ReactNode {
  return messages.map((message, index) => {
    const isLast = end !== null && index === messages.length - 1
    if (message.role === 'user') return <HumanMessage key={message.id} message={message} scroll={scroll} />
    return (
      <AgentMessage
        key={message.id}
        message={message}
        agentName={agentName}
        isStreaming={message === end?.streaming}
        scroll={scroll}
        isLast={isLast}
        onTopic={isLast ? end.onTopic : undefined}
        onDecide={isLast ? end.onDecide : undefined}
      />
    )
  })
})
