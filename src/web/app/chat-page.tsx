import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import type { PublicConfiguration } from '../../contract/config.ts'
import { isEmbedded, isInline } from '../api/embedded.ts'
import { newChat } from '../features/chat/chat-actions.ts'
import { ChatView } from '../features/chat/chat-view.tsx'
import { ConsentNotice } from '../features/privacy/consent-notice.tsx'
import { t } from '../../ui/language/translate.ts'
import { changes, useApplication } from '../state/application-store.ts'
import { showMyData, useMyData } from '../state/my-data.ts'
import { storeOpenChat } from '../state/open-chat.ts'
import { IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { notify } from '../../ui/notification.tsx'
import { chatAddress, navigate } from './location.ts'
import type { MyDataProps } from './my-data.tsx'
import { SidePanel } from './side-panel.tsx'
import { useSessions } from './use-sessions.ts'
import { useShortcuts } from './use-shortcuts.ts'
import { Wordmark } from './wordmark.tsx'
import { fetchConfiguration } from '../api/calls.ts'
import { recallConsent } from '../features/privacy/consent.ts'
import { preferredLanguage } from '../../ui/language/language.ts'
import { useConfiguration } from '../state/configuration.ts'

// Can't be loaded offline.
const ShortcutSheet = lazyPart(() => import('./shortcut-sheet.tsx'))

/** A phone on its side. */
const SHORT_WINDOW = '(max-height: 30rem)'

/** The chat with its history in a side panel, or in a drawer on phones. */
export function ChatPage({ configuration, session }: { configuration: PublicConfiguration; session: string | null }): ReactNode {
  const [isPanelOpen, setPanelOpen] = useState(() => !isEmbedded && !matchMedia(SHORT_WINDOW).matches)
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const [isHelpOpen, setHelpOpen] = useState(false)
  const title = useApplication((state) => state.currentSession?.title ?? '')
  useSessions(session)
  useEffect(() => {
    document.title = title ? `${title} · ${configuration.name}` : configuration.name
  }, [title, configuration.name])

  useEffect(() => {
    if (isEmbedded) import('./embedded.ts').then(({ enableEmbedding }) => enableEmbedding()).catch(console.error)
  }, [])

  useShortWindow(() => setPanelOpen(false))
  const begin = () => {
    setDrawerOpen(false)
    leaveChat()
  }
  const showPanel = () => {
    if (matchMedia('(min-width: 48rem)').matches) setPanelOpen(true)
    else setDrawerOpen(true)
  }
  useShortcuts({ search: () => search(showPanel), newChat: begin, help: () => setHelpOpen(true) })

  const panel = <SidePanel configuration={configuration} onNewChat={begin} onLeaveChat={leaveChat} onChoose={() => setDrawerOpen(false)} />
  return (
    <div className={`page${isPanelOpen ? ' with-panel' : ''}${isEmbedded ? ' embedded' : ''}`}>
      <a className="skip" href="#composer" onClick={skipToComposer}>
        {t('Skip to the message box')}
      </a>
      {isPanelOpen && <aside className="panel">{panel}</aside>}
      <Dialog open={isDrawerOpen} onClose={() => setDrawerOpen(false)} label={t('Menu')} className="drawer" dismissable>
        <IconButton icon="close" label={t('Close the menu')} className="close" onClick={() => setDrawerOpen(false)} />
        {panel}
      </Dialog>
      <main>
        <Banner />
        <header className="bar">
          <IconButton icon="menu" label={t('Open the menu')} className="narrow" onClick={() => setDrawerOpen(true)} />
          <IconButton
            icon="sidebar"
            label={isPanelOpen ? t('Hide chats') : t('Show chats')}
            aria-expanded={isPanelOpen}
            className="wide"
            onClick={() => setPanelOpen(!isPanelOpen)}
          />
          <h1 dir="auto">{title || <Wordmark name={configuration.name} />}</h1>
          <IconButton icon="plus" label={t('New chat')} className="new-chat" onClick={begin} />
          {isEmbedded && !isInline && <IconButton icon="close" label={t('Close')} onClick={closeFrame} />}
        </header>
        <ChatView
          configuration={configuration}
          notice={<ConsentNotice configuration={configuration} />}
          onNewChat={begin}
          onSharedComputer={shareComputer}
        />
      </main>
      <MyDataPanel onLeaveChat={begin} />
      {isHelpOpen && <ShortcutSheet onClose={() => setHelpOpen(false)} />}
    </div>
  )
}

function closeFrame(): void {
  import('./embedded.ts').then(({ askToClose }) => askToClose()).catch(console.error)
}

function leaveChat(): void {
  // At once: the address changes later, and the embedding page may be left before.
  storeOpenChat(null)
  newChat()
  navigate(chatAddress())
}

/** Calls `act` when the window becomes too short for a panel, such as when a phone is turned. */
function useShortWindow(act: () => void): void {
  const onChange = useEffectEvent(({ matches }: MediaQueryListEvent) => matches && act())
  useEffect(() => {
    const short = matchMedia(SHORT_WINDOW)
    short.addEventListener('change', onChange)
    return () => short.removeEventListener('change', onChange)
  }, [])
}

/** Applies to the next prompt at once, even while its code loads. */
function shareComputer(isShared: boolean): void {
  changes.sharedComputerChanged(isShared)
  import('../features/privacy/shared-computer.ts')
    .then(({ setSharedComputer }) => setSharedComputer(isShared))
    .catch((error: unknown) => {
      changes.sharedComputerChanged(!isShared)
      notifyNotLoaded(error)
    })
}

function notifyNotLoaded(error: unknown): void {
  console.error(error)
  notify({ message: t('Couldn’t load this. Try again in a moment.'), type: 'error' })
}

/** The panel "My data", loaded on demand. A failure to load it must not break the chat. */
function MyDataPanel(props: MyDataProps): ReactNode {
  const isWanted = useMyData(({ view }) => view !== null)
  // The notice is shown first; the panel returns to its view afterwards.
  const isNoticeOpen = useApplication((state) => state.privacyNoticeDialog)
  const isOpen = isWanted && !isNoticeOpen
  useEffect(() => {
    if (isWanted && !useApplication.getState().acceptsPrivacyPolicy && isNoticeOpen) changes.noticeOpened()
  }, [isWanted, isNoticeOpen])
  const [loaded, setLoaded] = useState<{ MyData: ComponentType<MyDataProps> } | null>(null)
  useEffect(() => {
    if (!isOpen || loaded) return
    import('./my-data.tsx').then(setLoaded).catch((error: unknown) => {
      showMyData(null)
      notifyNotLoaded(error)
    })
  }, [isOpen, loaded])
  return isOpen && loaded && <loaded.MyData {...props} />
}

/** The address's hash is the route, so the link must not change it. */
function skipToComposer(event: { preventDefault(): void }): void {
  event.preventDefault()
  document.getElementById('composer')?.focus()
}

/** Focuses the search field, after `show` if it is not visible. Focuses at once where possible, so that no typed letter is lost. */
function search(show: () => void): void {
  const field = () => [...document.querySelectorAll<HTMLElement>('[type=search]')].findLast((other) => other.checkVisibility())
  const inView = field()
  if (inView) return inView.focus()
  show()
  requestAnimationFrame(() => field()?.focus())
}

const READ_AGAIN_MS = 5 * 60 * 1000

/** Takes what may change while the page is open. Asks for consent again if the notice has changed. */
function takeOver({ banner, privacy, agents }: PublicConfiguration): void {
  const current = useConfiguration.getState()
  const before = current?.privacy.noticeVersion
  const handoverOf = (id: string) => agents.find((agent) => agent.id === id)?.handover ?? null
  useConfiguration.setState({
    banner,
    privacy,
    ...(current && { agent: { ...current.agent, handover: handoverOf(current.agent.id) } }),
    ...(current && { agents: current.agents.map((agent) => ({ ...agent, handover: handoverOf(agent.id) })) }),
  })
  if (before !== privacy.noticeVersion) recallConsent(privacy.noticeVersion)
}

/** The message of staff to every visitor, read again every five minutes and when the page is looked at again. */
function Banner(): ReactNode {
  const text = useConfiguration((configuration) => configuration?.banner?.text)
  useEffect(() => {
    let readAt = Date.now()
    const read = () => {
      if (document.hidden) return
      readAt = Date.now()
      fetchConfiguration(preferredLanguage())
        .then((outcome) => {
          if (outcome.ok) takeOver(outcome.value)
          return outcome
        })
        .catch(console.error)
    }
    const onReturn = () => {
      if (Date.now() - readAt >= READ_AGAIN_MS) read()
    }
    const timer = setInterval(read, READ_AGAIN_MS)
    document.addEventListener('visibilitychange', onReturn)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', onReturn)
    }
  }, [])
  // A live region must exist before its first text, or that is not announced.
  return (
    <p className="banner" role="status" dir="auto">
      {text}
    </p>
  )
}
