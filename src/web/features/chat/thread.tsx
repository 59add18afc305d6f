import { lazy, type ReactNode, Suspense, useMemo } from 'react'
import { useSay } from '../../language/say.ts'
import { type ChatSession, NOTHING_YET, type Retry, useApplication } from '../../state/application-store.ts'
import { AgentMessage } from './agent-message.tsx'
import { ChatModeContext } from './chat-mode.ts'
import { FailureNotice, failureOf } from './failure-notice.tsx'
import { HumanMessage } from './human-message.tsx'
import type { MessagePlace } from './message-place.ts'

/** Few chats are so long. */
const EarlierMessages = lazy(() => import('./earlier-messages.tsx').catch(() => ({ default: () => null })))

/** Few servers ask for it. */
const RobotCheck = lazy(() => import('./robot-check.tsx').catch(() => ({ default: () => null })))
/** Few have to wait. */
const QueuePlace = lazy(() => import('./queue-place.tsx').catch(() => ({ default: () => null })))

interface ThreadProps {
  session: ChatSession
  agentName: string
  place: MessagePlace
  onTopic(topic: string): void
  onRetry(retry: Retry): void
  onEdit(): void
}

/** The messages of a session, the answer that is being written, and what went wrong with the last. */
export function Thread({ session, agentName, place, onTopic, onRetry, onEdit }: ThreadProps): ReactNode {
  const say = useSay()
  const isSending = useApplication((state) => state.isSendingChat)
  const isTemporary = useApplication((state) => state.isTemporary)
  const mode = useMemo(() => ({ isSending, isTemporary }), [isSending, isTemporary])
  const { messages, earlier, answer } = session
  const failure = failureOf(session)
  const growing = answer.status === 'answering' ? answer.message : answer.status === 'sending' ? NOTHING_YET : null
  // One list for all: an answer keeps its place in the document when it turns from growing to complete.
  const shown = growing ? [...messages, growing] : messages
  const isIdle = answer.status === 'none'
  return (
    <ChatModeContext value={mode}>
      {earlier && (
        <Suspense fallback={null}>
          <EarlierMessages session={session.key} before={earlier} />
        </Suspense>
      )}
      {shown.map((message, index) =>
        message.role === 'user' ? (
          <HumanMessage key={message.id} message={message} place={place} />
        ) : (
          <AgentMessage
            key={message.id}
            message={message}
            agentName={agentName}
            isGrowing={message === growing}
            place={place}
            isLast={index === shown.length - 1}
            onTopic={isIdle && index === shown.length - 1 ? onTopic : undefined}
            onDecide={isIdle && index === shown.length - 1 ? onRetry : undefined}
          />
        ),
      )}
      {answer.status === 'opening' && messages.length === 0 && <p className="muted loading">{say('Opening the chat…')}</p>}
      <p role="status" className="reconnecting muted">
        {answer.status === 'answering' && answer.connection === 'reconnecting' && say('Reconnecting… the answer goes on.')}
        {answer.status === 'sending' && answer.checked !== undefined && !answer.place && (
          <Suspense fallback={null}>
            <RobotCheck share={answer.checked} />
          </Suspense>
        )}
        {answer.status === 'sending' && answer.place && (
          <Suspense fallback={null}>
            <QueuePlace place={answer.place} />
          </Suspense>
        )}
      </p>
      {failure && <FailureNotice failure={failure} onRetry={onRetry} onEdit={onEdit} />}
    </ChatModeContext>
  )
}
