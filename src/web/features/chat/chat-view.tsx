import { memo, type ReactNode, type RefObject, Suspense, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import type { PublicConfiguration } from '../../../contract/config.ts'
import { useTranslate } from '../../language/translate.ts'
import { failureSentence } from '../../api/failure.ts'
import type { FilePart } from '../../../contract/parts/file.ts'
import { changes, useApplication } from '../../state/application-store.ts'
import { type Retry, unsentIn } from '../../state/chat-session.ts'
import { DRAFTS_KEY, openDraftKey } from '../../state/drafts.ts'
import { tabStorage } from '../../storage/storage.ts'
import { readTabState, storeTabState } from '../../state/stored-session.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { useOnline } from '../../ui/use-online.ts'
import { subscribeToChat, loadChat, retry, send, stop, storeCurrent, storeDrafts, withdrawPrompt } from './chat-actions.ts'
import { ChatOptions, ChatOptionsLine } from './composer/chat-options.tsx'
import { Composer, type ComposerHandle } from './composer/composer.tsx'
import { EmptyChat } from './thread/empty-chat.tsx'
import { loadThread, useLoadedThread } from './thread/loaded-thread.ts'
import type { ScrollControls } from './message/scroll-controls.ts'
import { scrollToPlace, placeIn } from './thread/reading-place.ts'
import type { PageActions } from './composer/slash-commands.ts'
import { useLatest } from './thread/use-latest.ts'

const DeletionDate = lazyPart(() => import('./thread/deletion-date.tsx'))
const LimitText = lazyPart(() => import('./composer/limit-notice.tsx'))
const UnavailableChat = lazyPart(() => import('./thread/unavailable-chat.tsx'))

/** The tab's state before the reload, restored once. */
let tabState = readTabState()

interface ChatViewProps {
  configuration: PublicConfiguration
  page: PageActions
  onTemporary(isTemporary: boolean): void
  onSharedComputer(isShared: boolean): void
}

/** The open chat and the composer. */
export function ChatView({ configuration, page, ...options }: ChatViewProps): ReactNode {
  const t = useTranslate()
  // Not the session itself: it changes with each chunk of an answer, which only the thread needs.
  const isEmpty = useApplication((state) => state.currentSession === null)
  const isShown = useApplication((state) => (state.currentSession?.messages.length ?? 0) > 0)
  const unavailable = useApplication(({ currentSession }) =>
    currentSession?.answer.status === 'unavailable' ? currentSession.answer.code : null,
  )
  const chat = useApplication((state) => openDraftKey(state.currentSession))
  const isSending = useApplication((state) => state.isSendingChat)
  const accepts = useApplication((state) => state.acceptsPrivacyPolicy)
  const { Thread, hasFailed } = useThread(isEmpty)
  const thread = useRef<HTMLDivElement>(null)
  const composer = useRef<ComposerHandle>(null)
  const announcer = useAnnouncer(isEmpty)
  const { isAway, toLatest, unpin, isPinned } = useLatest(thread, !isEmpty)
  useLayoutEffect(() => {
    if (!isShown || !Thread) return
    const place = tabState?.session === useApplication.getState().currentSession?.key ? tabState?.place : null
    tabState = null
    if (!place || !thread.current) return
    unpin()
    scrollToPlace(thread.current, place)
  }, [isShown, Thread, unpin])
  useEffect(() => subscribeToChat({ draftGiven: () => composer.current?.focus() }), [])
  useWhenLeaving(() => {
    const { currentSession } = useApplication.getState()
    storeCurrent()
    storeDrafts()
    storeTabState({
      session: currentSession?.key,
      place: isPinned() || !thread.current ? null : placeIn(thread.current),
    })
  }, accepts)
  usePreparation()
  useEffect(() => {
    if (accepts) focusGently(composer)
  }, [accepts, isEmpty])

  const sendAndFollow = (prompt: string, files?: FilePart[]) => {
    send(prompt, files)
    requestAnimationFrame(toLatest)
  }
  const retryAndFollow = (what: Retry) => {
    retry(what)
    focusGently(composer)
  }
  const scroll = useScrollControls(composer, toLatest, unpin)
  return (
    <>
      <div ref={thread} className="thread">
        {(isEmpty || (!Thread && !hasFailed)) && (
          <EmptyChat configuration={configuration} onNear={prepare} onStarter={accepts ? (starter) => sendAndFollow(starter) : null} />
        )}
        {!isEmpty && hasFailed && <NotLoaded />}
        {unavailable && (
          <Suspense fallback={null}>
            <UnavailableChat code={unavailable} onNewChat={page.newChat} />
          </Suspense>
        )}
        {!isEmpty && !unavailable && Thread && (
          <Thread
            agentName={configuration.agent.name}
            scroll={scroll}
            onTopic={(topic) => sendAndFollow(topic)}
            onRetry={retryAndFollow}
            onEdit={withdrawPrompt}
          />
        )}
        {/* A live region must exist before its first text, or that is not announced. */}
        <div ref={announcer} className="sr-only" aria-live="polite" aria-relevant="additions" data-testid="announcer" />
      </div>
      <div className="dock">
        {isAway && (
          <Button icon="down" look="outline" className="latest small" onClick={toLatest}>
            {t('Jump to latest')}
          </Button>
        )}
        <ConnectionLine />
        {isEmpty && accepts && <ChatOptions {...options} />}
        <ChatOptionsLine />
        {accepts ? (
          <Composer
            ref={composer}
            chat={chat}
            isAnswering={isSending}
            agent={configuration.agent}
            voiceInput={configuration.voiceInput}
            page={page}
            onSend={sendAndFollow}
            onStop={stop}
          />
        ) : (
          <ConsentLine />
        )}
        <FinePrint model={configuration.agent.model.label} hasChat={!isEmpty} />
      </div>
    </>
  )
}

/** Focuses the message box, except where that would open a keyboard over the text. */
function focusGently(composer: RefObject<ComposerHandle | null>, options?: FocusOptions): void {
  if (matchMedia('(hover: hover)').matches) composer.current?.focus(options)
}

/** The line below every chat. */
const FinePrint = memo(function FinePrint({ model, hasChat }: { model: string; hasChat: boolean }): ReactNode {
  const t = useTranslate()
  return (
    <p className="fine muted">
      <bdi>{model}</bdi> · {t('AI can make mistakes. Check important information.')} ·{' '}
      {hasChat && (
        <Suspense fallback={null}>
          <DeletionDate />
        </Suspense>
      )}
      <button type="button" onClick={changes.noticeOpened}>
        {t('Privacy')}
      </button>
    </p>
  )
})

/** Shown instead of the message box until the notice is accepted. */
function ConsentLine(): ReactNode {
  const t = useTranslate()
  const line = useRef<HTMLDivElement>(null)
  const isNoticeOpen = useApplication((state) => state.privacyNoticeDialog)
  const wasOpen = useRef(isNoticeOpen)
  useEffect(() => {
    // The notice that opens on start has no focus to return.
    if (wasOpen.current && !isNoticeOpen && document.activeElement === document.body) line.current?.focus()
    wasOpen.current = isNoticeOpen
  }, [isNoticeOpen])
  return (
    <div ref={line} className="consent-line" id="composer" tabIndex={-1}>
      <p>{t('To chat, read and accept the privacy notice first.')}</p>
      <Button look="solid" onClick={changes.noticeOpened}>
        {t('Open the notice')}
      </Button>
    </div>
  )
}

/** Controls the reading position when a message gets another version. */
function useScrollControls(composer: RefObject<ComposerHandle | null>, toLatest: () => void, unpin: () => void): ScrollControls {
  return useMemo(() => {
    const follow = () => {
      requestAnimationFrame(toLatest)
      focusGently(composer, { preventScroll: true })
    }
    return { unpin, follow }
  }, [composer, unpin, toLatest])
}

/** The component that renders messages: loaded with the first letter of the first prompt, or at once for visitors with chats. */
function useThread(isEmpty: boolean) {
  const hasChats = useApplication((state) => state.chatSessions.length > 0)
  // Offline, it is available if a service worker has cached it.
  const canLoad = useOnline() || navigator.serviceWorker?.controller
  const isWanted = hasChats || !isEmpty
  useEffect(() => {
    if (isWanted && canLoad) prepare()
  }, [isWanted, canLoad])
  return useLoadedThread()
}

/** The live region that announces streaming answers, if its code can be loaded. */
function useAnnouncer(isEmpty: boolean): RefObject<HTMLDivElement | null> {
  const region = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isEmpty) return
    let end: (() => void) | undefined
    let wanted = true
    import('./answer/answer-announcer.ts')
      .then(({ announceAnswers }) => {
        if (wanted && region.current) end = announceAnswers(region.current)
        return end
      })
      .catch(console.error)
    return () => {
      wanted = false
      end?.()
    }
  }, [isEmpty])
  return region
}

/** Shown instead of messages that can't be rendered, with the unsent prompt. */
function NotLoaded(): ReactNode {
  const t = useTranslate()
  const prompt = useApplication(({ currentSession }) => unsentIn(currentSession)?.prompt)
  const code = useApplication(({ currentSession }) => (currentSession?.answer.status === 'rejected' ? currentSession.answer.code : null))
  return (
    <section className="welcome" role="alert">
      {prompt && <p dir="auto">{prompt}</p>}
      <p>{code ? failureSentence(code) : t('Couldn’t load this. Try again in a moment.')}</p>
      <Button look="solid" icon="retry" onClick={prepare}>
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

/** Shows that the server can't be reached, or that the rate limit is reached. */
function ConnectionLine(): ReactNode {
  const t = useTranslate()
  const isOnline = useOnline()
  const connection = useApplication((state) => state.connection)
  const isRestoring = connection === 'restoring'
  return (
    <p role="status" className={isOnline ? 'offline muted' : 'offline'}>
      {(!isOnline || isRestoring) && <Icon name="offline" />}
      {isOnline ? isRestoring && t('Reconnecting… What you type is saved.') : t('You’re offline. What you type is saved.')}
      {isOnline && typeof connection === 'object' && (
        <Suspense fallback={null}>
          <LimitText until={connection.limitedUntil} />
        </Suspense>
      )}
    </p>
  )
}
