import { lazy, type ReactNode, type RefObject, Suspense, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import type { PublicConfiguration } from '../../../contract/config.ts'
import { failureSentence } from '../../api/failure.ts'
import { useSay } from '../../language/say.ts'
import { changes, type Retry, unsentPrompt, useApplication } from '../../state/application-store.ts'
import { readKept, storeKept } from '../../state/stored-session.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useOnline } from '../../ui/use-online.ts'
import { listenToChat, prepareToSend, retry, send, stop, storeCurrent, takeBack } from './chat-actions.ts'
import { ChatManner, KeptUntil, MannerLine } from './chat-manner.tsx'
import { Composer, type ComposerHandle } from './composer.tsx'
import { EmptyChat } from './empty-chat.tsx'
import type { MessagePlace } from './message-place.ts'
import { goToPlace, placeIn } from './reading-place.ts'
import { Thread } from './thread.tsx'
import { useLatest } from './use-latest.ts'

// Away from the network the page goes on without it.
const AnswerAnnouncer = lazy(() => import('./answer-announcer.tsx').catch(() => ({ default: () => null })))

/** What the tab was left with, to be taken up once. */
let kept = readKept()

interface ChatViewProps {
  configuration: PublicConfiguration
  onNewChat(): void
  onTemporary(isTemporary: boolean): void
  onSharedComputer(isShared: boolean): void
}

/** The open chat and the composer. */
export function ChatView({ configuration, onNewChat, ...manner }: ChatViewProps): ReactNode {
  const say = useSay()
  const session = useApplication((state) => state.currentSession)
  const isSending = useApplication((state) => state.isSendingChat)
  const accepts = useApplication((state) => state.acceptsPrivacyPolicy)
  const thread = useRef<HTMLDivElement>(null)
  const composer = useRef<ComposerHandle>(null)
  const { isAway, toLatest, letGo, isHeld } = useLatest(thread)
  const isEmpty = session === null
  const isShown = (session?.messages.length ?? 0) > 0
  useLayoutEffect(() => {
    if (!isShown) return
    const place = kept?.session === useApplication.getState().currentSession?.key ? kept?.place : null
    kept = null
    if (!place || !thread.current) return
    letGo()
    goToPlace(thread.current, place)
  }, [isShown, letGo])
  useEffect(() => listenToChat({ promptReturned: (prompt) => putBack(composer.current, prompt) }), [])
  useWhenLeaving(() => {
    const { currentSession } = useApplication.getState()
    const unsent = currentSession && unsentPrompt(currentSession)
    storeCurrent()
    storeKept({
      session: currentSession?.key,
      draft: [unsent, composer.current?.text()].filter(Boolean).join('\n'),
      place: isHeld() || !thread.current ? null : placeIn(thread.current),
    })
  }, accepts)
  usePreparation()
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
  const place = usePlace(composer, toLatest, letGo)
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
            place={place}
            onTopic={sendAndFollow}
            onRetry={retryAndFollow}
            onEdit={() => composer.current?.edit(takeBack())}
          />
        )}
        {/* There before anything is said in it, or it is not heard. */}
        <div className="sr-only" aria-live="polite" aria-relevant="additions" data-testid="announcer">
          <Suspense fallback={null}>{session && <AnswerAnnouncer />}</Suspense>
        </div>
      </div>
      <div className="dock">
        {isAway && (
          <Button icon="down" look="outline" className="latest small" onClick={toLatest}>
            {say('Jump to latest')}
          </Button>
        )}
        <ConnectionLine />
        {!session && accepts && <ChatManner {...manner} />}
        <MannerLine />
        {accepts ? (
          <Composer
            ref={composer}
            draft={kept?.draft ?? ''}
            isAnswering={isSending}
            agentName={configuration.agent.name}
            onSend={sendAndFollow}
            onStop={() => {
              stop().catch(console.error)
            }}
          />
        ) : (
          <ConsentLine />
        )}
        <p className="fine muted">
          <bdi>{configuration.agent.model.label}</bdi> · {say('Answers can be wrong: check what matters')} · <KeptUntil />
          <button type="button" onClick={changes.noticeOpened}>
            {say('Privacy')}
          </button>
        </p>
      </div>
    </>
  )
}

/** Stands where the message box will be. */
function ConsentLine(): ReactNode {
  const say = useSay()
  return (
    <div className="consent-line" id="composer" tabIndex={-1}>
      <p>{say('To chat here, please read and accept the privacy notice.')}</p>
      <Button look="solid" onClick={changes.noticeOpened}>
        {say('Open the notice')}
      </Button>
    </div>
  )
}

/** What becomes of the reader's place when a message gets another version. */
function usePlace(composer: RefObject<ComposerHandle | null>, toLatest: () => void, letGo: () => void): MessagePlace {
  return useMemo(() => {
    const follow = () => {
      requestAnimationFrame(toLatest)
      composer.current?.focus({ preventScroll: true })
    }
    return { letGo, follow }
  }, [composer, letGo, toLatest])
}

/** Gives a prompt to the message box; where the notice comes first, it is there when that is accepted. */
function putBack(composer: ComposerHandle | null, prompt: string): void {
  if (composer) composer.edit(prompt)
  else kept = { session: undefined, place: null, ...kept, draft: prompt }
}

/** Loads what a prompt needs while the first one is being written. */
function usePreparation(): void {
  useEffect(() => {
    const prepare = () => {
      prepareToSend().catch(console.error)
    }
    addEventListener('input', prepare, { once: true })
    return () => removeEventListener('input', prepare)
  }, [])
}

function Unavailable({ code, onNewChat }: { code: string; onNewChat(): void }): ReactNode {
  const say = useSay()
  const isGone = code === 'not_found' || code === 'invalid_id'
  return (
    <section className="welcome">
      <h2>{isGone ? say('This chat is not here') : say('This chat could not be opened')}</h2>
      <p>{isGone ? say('It may have been deleted, have expired, or belong to another browser.') : failureSentence(code)}</p>
      <Button look="solid" icon="plus" onClick={onNewChat}>
        {say('Start a new chat')}
      </Button>
    </section>
  )
}

/** Calls `act` when the page is hidden or left, if `isWanted`: there may be no later moment. */
function useWhenLeaving(act: () => void, isWanted: boolean): void {
  const latest = useRef(act)
  useLayoutEffect(() => {
    latest.current = act
  })
  useEffect(() => {
    if (!isWanted) return
    const onHide = () => {
      if (document.hidden) latest.current()
    }
    const onLeave = () => latest.current()
    document.addEventListener('visibilitychange', onHide)
    addEventListener('pagehide', onLeave)
    return () => {
      document.removeEventListener('visibilitychange', onHide)
      removeEventListener('pagehide', onLeave)
    }
  }, [isWanted])
}

/** Says quietly that the server is out of reach, and that nothing is lost by it. */
function ConnectionLine(): ReactNode {
  const say = useSay()
  const isOnline = useOnline()
  const isRestoring = useApplication((state) => state.connection === 'restoring')
  return (
    <p role="status" className={isOnline ? 'offline muted' : 'offline'}>
      {(!isOnline || isRestoring) && <Icon name="offline" />}
      {isOnline
        ? isRestoring && say('The connection is being restored. What you write stays here.')
        : say('You are offline. What you write stays here.')}
    </p>
  )
}
