import { type ReactNode, useEffect, useRef } from 'react'
import type { PublicConfiguration } from '../../../contract/config.ts'
import { failureSentence } from '../../api/failure.ts'
import { changes, type Retry, useApplication } from '../../state/application-store.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useOnline } from '../../ui/use-online.ts'
import { AnswerAnnouncer } from './answer-announcer.tsx'
import { retry, send, stop, takeBack } from './chat-actions.ts'
import { Composer, type ComposerHandle } from './composer.tsx'
import { EmptyChat } from './empty-chat.tsx'
import { Thread } from './thread.tsx'
import { useLatest } from './use-latest.ts'

interface ChatViewProps {
  configuration: PublicConfiguration
  onNewChat(): void
}

/** The open chat and the composer. */
export function ChatView({ configuration, onNewChat }: ChatViewProps): ReactNode {
  const session = useApplication((state) => state.currentSession)
  const isSending = useApplication((state) => state.isSendingChat)
  const accepts = useApplication((state) => state.acceptsPrivacyPolicy)
  const thread = useRef<HTMLDivElement>(null)
  const composer = useRef<ComposerHandle>(null)
  const { isAway, toLatest } = useLatest(thread)
  const isEmpty = session === null
  useEffect(() => {
    // A phone's keyboard must not cover what was just opened.
    if (accepts && matchMedia('(hover: hover)').matches) composer.current?.focus()
  }, [accepts, isEmpty])

  const sendAndFollow = (prompt: string) => {
    send(prompt).catch(console.error)
    requestAnimationFrame(toLatest)
  }
  const retryAndFollow = (what: Retry) => {
    retry(what).catch(console.error)
    composer.current?.focus()
  }
  const isUnavailable = session?.answer.status === 'unavailable'
  return (
    <>
      <div ref={thread} className="thread">
        {!session && <EmptyChat configuration={configuration} onStarter={accepts ? sendAndFollow : null} />}
        {session?.answer.status === 'unavailable' && <Unavailable code={session.answer.code} onNewChat={onNewChat} />}
        {session && !isUnavailable && (
          <Thread
            session={session}
            agentName={configuration.agent.name}
            onTopic={sendAndFollow}
            onRetry={retryAndFollow}
            onEdit={() => composer.current?.edit(takeBack())}
          />
        )}
        <AnswerAnnouncer />
      </div>
      <div className="dock">
        {isAway && (
          <Button icon="down" look="outline" className="latest small" onClick={toLatest}>
            Jump to latest
          </Button>
        )}
        <OfflineLine />
        {accepts ? (
          <Composer
            ref={composer}
            isAnswering={isSending}
            agentName={configuration.agent.name}
            onSend={sendAndFollow}
            onStop={() => {
              stop().catch(console.error)
            }}
          />
        ) : (
          <div className="consent-line" id="composer" tabIndex={-1}>
            <p>To chat here, please read and accept the privacy notice.</p>
            <Button look="solid" onClick={changes.noticeOpened}>
              Open the notice
            </Button>
          </div>
        )}
        <p className="fine muted">
          {configuration.model.label} · Answers can be wrong: check what matters ·{' '}
          <button type="button" onClick={changes.noticeOpened}>
            Privacy
          </button>
        </p>
      </div>
    </>
  )
}

function Unavailable({ code, onNewChat }: { code: string; onNewChat(): void }): ReactNode {
  const isGone = code === 'not_found' || code === 'invalid_id'
  return (
    <section className="welcome">
      <h2>{isGone ? 'This chat is not here' : 'This chat could not be opened'}</h2>
      <p>{isGone ? 'It may have been deleted, have expired, or belong to another browser.' : failureSentence(code)}</p>
      <Button look="solid" icon="plus" onClick={onNewChat}>
        Start a new chat
      </Button>
    </section>
  )
}

function OfflineLine(): ReactNode {
  const isOnline = useOnline()
  return (
    <p role="status" className="offline">
      {!isOnline && (
        <>
          <Icon name="offline" /> You are offline. What you write stays here.
        </>
      )}
    </p>
  )
}
