import { memo, type ReactNode, type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import type { PublicAgent, PublicConfiguration } from '../../../contract/config.ts'
import { modelName } from '../../../ui/language/model-name.ts'
import { t, useTranslate } from '../../../ui/language/translate.ts'
import { isEmbedded } from '../../api/embedded.ts'
import { failureSentence } from '../../api/failure.ts'
import { useIsOffline } from '../../api/offline.ts'
import type { FilePart } from '../../../contract/chat/parts/file.ts'
import { changes, type Consent, useApplication } from '../../state/application-store.ts'
import { type Answer, type Retry, unsentIn } from '../../state/chat-session.ts'
import { DRAFTS_KEY, openDraftKey } from '../../state/drafts.ts'
import { usePageContext } from '../../state/page-context.ts'
import { tabStorage } from '../../../ui/storage/storage.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { NotificationSlot } from '../../../ui/notification.tsx'
import { fillInStarter, subscribeToChat, loadChat, retry, send, stop, storeCurrent, storeDrafts, withdrawPrompt } from './chat-actions.ts'
import { announceAnswers } from './answer/answer-announcer.ts'
import { ChatOptions, ChatOptionsLine } from './composer/chat-options.tsx'
import { useQuestion } from './composer/question.ts'
import { Composer, type ComposerHandle } from './composer/composer.tsx'
import { EmptyChat, Starters } from './thread/empty-chat.tsx'
import { loadThread, useLoadedThread } from './thread/loaded-thread.ts'
import type { ScrollControls } from './message/scroll-controls.ts'
import { useLatest } from './thread/use-latest.ts'

const PageContextChip = lazyPart(() => import('./composer/page-context-chip.tsx'))
const DeletionDate = lazyPart(() => import('./thread/deletion-date.tsx'))
const LimitText = lazyPart(() => import('./composer/limit-notice.tsx'))
const UnavailableChat = lazyPart(() => import('./thread/unavailable-chat.tsx'))

interface ChatViewProps {
  configuration: PublicConfiguration
  /** The privacy notice, above the message box. */
  notice: ReactNode
  onNewChat(): void
  onSharedComputer(isShared: boolean): void
}

export function ChatView({ configuration, notice, onNewChat, onSharedComputer }: ChatViewProps): ReactNode {
  // Not the session itself: it changes with each chunk of an answer, which only the thread needs.
  const isEmpty = useApplication((state) => state.currentSession === null)
  const unavailable = useApplication(({ currentSession }) =>
    currentSession?.answer.status === 'unavailable' ? currentSession.answer.code : null,
  )
  const chat = useApplication((state) => openDraftKey(state.currentSession))
  const isSending = useApplication((state) => state.isSendingChat)
  const consent = useApplication((state) => state.consent)
  const accepts = consent === 'accepted'
  const hasContext = usePageContext(({ context, isRemoved }) => !isRemoved && Object.keys(context).length > 0)
  const { Thread, hasFailed } = useThread(isEmpty)
  const thread = useRef<HTMLDivElement>(null)
  const composer = useRef<ComposerHandle>(null)
  const announcer = useAnnouncer(isEmpty)
  const { isAway, toLatest, toPrompt, unpin } = useLatest(thread, !isEmpty)
  useEffect(() => subscribeToChat({ draftGiven: () => composer.current?.focus() }), [])
  useWhenLeaving(() => {
    storeCurrent()
    storeDrafts()
  }, accepts)
  usePreparation()
  useConsent(composer, consent, isEmpty)

  const showNext = useNextPrompt(toPrompt)
  const sendAndShow = (prompt: string, files?: FilePart[]) => {
    showNext()
    send(prompt, files)
  }
  const retryAndFollow = (what: Retry) => {
    retry(what)
    focusGently(composer)
  }
  const scroll = useScrollControls(composer, toPrompt, unpin)
  return (
    <>
      <div ref={thread} className={isEmpty ? 'thread empty' : 'thread'} tabIndex={-1}>
        {(isEmpty || (!Thread && !hasFailed)) && <EmptyChat configuration={configuration} />}
        {!isEmpty && hasFailed && <NotLoaded />}
        {unavailable && <UnavailableChat code={unavailable} onNewChat={onNewChat} />}
        {!isEmpty && !unavailable && Thread && (
          <Thread
            agentName={configuration.agent.name}
            scroll={scroll}
            onTopic={(topic) => sendAndShow(topic)}
            onRetry={retryAndFollow}
            onEdit={() => withdrawPrompt()}
          />
        )}
        {/* A live region must exist before its first text, or that is not announced. */}
        <div ref={announcer} className="sr-only" aria-live="polite" aria-relevant="additions" data-testid="announcer" />
      </div>
      <div className="dock">
        {isAway && <LatestButton thread={thread} toLatest={toLatest} />}
        <NotificationSlot />
        <ConnectionLine />
        {notice}
        <ChatOptionsLine />
        {hasContext && <PageContextChip />}
        {consent === 'declined' ? (
          <ConsentLine />
        ) : (
          <Composer
            ref={composer}
            chat={chat}
            isAnswering={isSending}
            agent={configuration.agent}
            voiceInput={configuration.voiceInput}
            onSend={sendAndShow}
            consent={consent}
            onStop={stop}
          />
        )}
        {isEmpty && <Starters starters={configuration.agent.starters} onStarter={starterAction(consent, sendAndShow)} />}
        {isEmpty && accepts && <ChatOptions onSharedComputer={onSharedComputer} />}
        <Question />
        <FinePrint agent={configuration.agent} hasChat={!isEmpty} />
      </div>
    </>
  )
}

/** Returns to the end of the thread and focuses it, since the button unmounts, which would move the focus to the start of the page. */
function LatestButton({ thread, toLatest }: { thread: RefObject<HTMLElement | null>; toLatest(): void }): ReactNode {
  const jump = () => {
    thread.current?.focus({ preventScroll: true })
    toLatest()
  }
  return (
    <Button icon="down" variant="outline" className="latest small" onClick={jump}>
      {t('Jump to latest')}
    </Button>
  )
}

/** The action of a starter: before the decision it waits in the message box; `null` after declining. */
function starterAction(consent: Consent, sendNow: (starter: string) => void) {
  if (consent === 'declined') return null
  if (consent === 'accepted') return (starter: string) => sendNow(starter)
  return (starter: string) => {
    fillInStarter(starter)
    changes.promptHeld()
  }
}

/** Once the visitor consents, focuses the message box, and sends the prompt in it that waited for that. */
function useConsent(composer: RefObject<ComposerHandle | null>, consent: Consent, isEmpty: boolean): void {
  const accepts = consent === 'accepted'
  useEffect(() => {
    if (accepts) focusGently(composer)
  }, [composer, accepts, isEmpty])
  const before = useRef(consent)
  useEffect(() => {
    const isHeld = before.current === 'awaited'
    before.current = consent
    // The page's other effects of consent begin with an empty chat.
    if (isHeld && consent === 'accepted') requestAnimationFrame(() => composer.current?.send())
  }, [composer, consent])
}

const Question = (): ReactNode => useQuestion(({ dialog }) => dialog)

/** Focuses the message box, except where that would open a keyboard over the text, or take the focus from the page that embeds this one. */
function focusGently(composer: RefObject<ComposerHandle | null>, options?: FocusOptions): void {
  if (isEmbedded && !document.hasFocus()) return
  if (matchMedia('(hover: hover)').matches) composer.current?.focus(options)
}

const FinePrint = memo(function FinePrint({ agent, hasChat }: { agent: PublicAgent; hasChat: boolean }): ReactNode {
  useTranslate()
  return (
    <p className="fine muted">
      <bdi>{modelName(agent.model.label)}</bdi>
      <span>
        {t('AI can make mistakes.')} <span className="roomy">{t('Check important information.')}</span>
      </span>
      {hasChat && <DeletionDate />}
      <button type="button" onClick={changes.noticeOpened}>
        {t('Privacy')}
      </button>
    </p>
  )
})

function ConsentLine(): ReactNode {
  return (
    <div className="consent-line" id="composer" tabIndex={-1}>
      <p>{t('To chat, read and accept the privacy notice first.')}</p>
      <Button variant="solid" onClick={changes.noticeOpened}>
        {t('Open the notice')}
      </Button>
    </div>
  )
}

/** Controls the reading position when a message gets another version. */
function useScrollControls(composer: RefObject<ComposerHandle | null>, toPrompt: () => void, unpin: () => void): ScrollControls {
  return useMemo(() => {
    const showPrompt = () => {
      requestAnimationFrame(toPrompt)
      focusGently(composer, { preventScroll: true })
    }
    return { unpin, showPrompt }
  }, [composer, unpin, toPrompt])
}

/** Returns a function that has the next new prompt shown once it is on the page. */
function useNextPrompt(toPrompt: () => void): () => void {
  const isAwaited = useRef(false)
  const newest = useApplication(({ currentSession }) => currentSession?.messages.findLast(({ role }) => role === 'user')?.id)
  useLayoutEffect(() => {
    if (!isAwaited.current || newest === undefined) return
    isAwaited.current = false
    requestAnimationFrame(toPrompt)
  }, [newest, toPrompt])
  return useCallback(() => {
    isAwaited.current = true
  }, [])
}

/** The component that renders messages: loaded with the first letter of the first prompt, or at once for visitors with chats. */
function useThread(isEmpty: boolean) {
  const hasChats = useApplication((state) => state.chatSessions.length > 0)
  // Offline, it is available if a service worker has cached it.
  const canLoad = !useIsOffline() || navigator.serviceWorker?.controller
  const isWanted = hasChats || !isEmpty
  useEffect(() => {
    if (isWanted && canLoad) prepare()
  }, [isWanted, canLoad])
  return useLoadedThread()
}

/** The live region that announces streaming answers. */
function useAnnouncer(isEmpty: boolean): RefObject<HTMLDivElement | null> {
  const region = useRef<HTMLDivElement>(null)
  // Before the browser paints, which a short answer may not wait for.
  useLayoutEffect(() => {
    if (!isEmpty && region.current) return announceAnswers(region.current)
  }, [isEmpty])
  return region
}

/** Shown instead of messages that can't be rendered, with the unsent prompt. */
function NotLoaded(): ReactNode {
  const prompt = useApplication(({ currentSession }) => unsentIn(currentSession)?.prompt)
  const code = useApplication(({ currentSession }) => (currentSession?.answer.status === 'rejected' ? currentSession.answer.code : null))
  return (
    <section className="welcome" role="alert">
      {prompt && <p dir="auto">{prompt}</p>}
      <p>{code ? failureSentence(code) : t('Couldn’t load this. Try again in a moment.')}</p>
      <Button variant="solid" icon="retry" onClick={prepare}>
        {t('Try again')}
      </Button>
    </section>
  )
}

/** Loads what a prompt needs while the first one is typed. */
function prepare(): void {
  Promise.all([loadChat(), loadThread()]).catch(console.error)
}

function usePreparation(): void {
  useEffect(() => {
    if (tabStorage.getItem(DRAFTS_KEY))
      import('../../state/stored-drafts.ts').then(({ restoreDrafts }) => restoreDrafts()).catch(console.error)
    addEventListener('input', prepare, { once: true })
    return () => removeEventListener('input', prepare)
  }, [])
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

/** Whether the notice at the last message says why the server can't be reached or limits requests. */
function isConnectionFailure(answer: Answer | undefined): boolean {
  return answer?.status === 'rejected' && (['offline', 'network', 'no_reply'].includes(answer.code) || Boolean(answer.retryAt))
}

function ConnectionLine(): ReactNode {
  const isOffline = useIsOffline()
  const connection = useApplication((state) => state.connection)
  const isToldByFailure = useApplication(({ currentSession }) => isConnectionFailure(currentSession?.answer))
  if (isToldByFailure) return <p role="status" className="offline" />
  const isRestoring = connection === 'restoring'
  return (
    <p role="status" className={isOffline ? 'offline' : 'offline muted'}>
      {(isOffline || isRestoring) && <Icon name="offline" />}
      {isOffline ? t('You’re offline. What you type is saved.') : isRestoring && t('Reconnecting… What you type is saved.')}
      {!isOffline && typeof connection === 'object' && <LimitText until={connection.limitedUntil} />}
    </p>
  )
}
