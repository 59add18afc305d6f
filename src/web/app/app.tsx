import { type ReactNode, useEffect } from 'react'
import { failureSentence } from '../api/failure.ts'
import { storeLanguage, useLanguage } from '../../ui/language/language.ts'
import { LanguageContext, t } from '../../ui/language/translate.ts'
import { changes, useApplication } from '../state/application-store.ts'
import { useConfiguration } from '../state/configuration.ts'
import { showMyData } from '../state/my-data.ts'
import { Button } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Notifications, notify } from '../../ui/notification.tsx'
import { ChatPage } from './chat-page.tsx'
import { CHAT_PATH, chatAddress, MOVE_PATH, navigate, useAddress } from './location.ts'
import { start, useStartFailure } from './start.ts'
import { Wordmark } from './wordmark.tsx'

const PrivacyNoticeDialog = lazyPart(() => import('../features/privacy/privacy-notice-dialog.tsx'), NoticeNotLoaded)

export function App(): ReactNode {
  const isNoticeOpen = useApplication((state) => state.privacyNoticeDialog && state.acceptsPrivacyPolicy)
  const language = useLanguage()
  const keepsChoices = useApplication((state) => state.acceptsPrivacyPolicy && !state.isSharedComputer)
  useEffect(() => {
    if (keepsChoices) storeLanguage()
  }, [keepsChoices, language])
  return (
    <LanguageContext value={language}>
      <Page />
      {isNoticeOpen && <PrivacyNoticeDialog />}
      <Notifications />
    </LanguageContext>
  )
}

/** The notice could not be loaded, so the page goes on without it. */
function NoticeNotLoaded(): ReactNode {
  useEffect(() => {
    changes.noticeClosed()
    notify({ message: t('Couldn’t load this. Try again in a moment.'), type: 'error' })
  }, [])
  return null
}

function Loading(): ReactNode {
  return <p className="page-note muted">{t('Loading…')}</p>
}

function Page(): ReactNode {
  const { path, session, code } = useAddress()
  const leadsToChat = path === '/' || path === MOVE_PATH
  const hasInit = useApplication((state) => state.hasInit)
  const configuration = useConfiguration()
  const failure = useStartFailure((state) => state.code)
  useEffect(() => {
    scrollTo(0, 0)
  }, [path, session])
  useEffect(() => {
    if (path === MOVE_PATH && code) showMyData({ kind: 'take-code', code })
    // Keeps the code out of the browser history.
    if (leadsToChat) navigate(chatAddress(), { replace: true })
  }, [path, code, leadsToChat])
  if (path !== CHAT_PATH && !leadsToChat) return <NotFoundPage />
  if (failure) return <StartFailed sentence={failureSentence(failure)} />
  if (!hasInit || !configuration || leadsToChat) return <Loading />
  return <ChatPage configuration={configuration} session={session} />
}

function StartFailed({ sentence }: { sentence: string }): ReactNode {
  return (
    <main className="page-note" role="alert">
      <h1>{t('This page couldn’t start')}</h1>
      <p>{sentence}</p>
      <Button variant="solid" icon="retry" onClick={start}>
        {t('Try again')}
      </Button>
    </main>
  )
}

function NotFoundPage(): ReactNode {
  const name = useConfiguration()?.name ?? 'Parley'
  const notFound = t('Page not found')
  useEffect(() => {
    document.title = `${notFound} · ${name}`
  }, [notFound, name])
  return (
    <main className="page-note">
      <Wordmark name={name} />
      <h1>{notFound}</h1>
      <p>{t('There’s no page at this address.')}</p>
      <a className="button solid" href={chatAddress()}>
        {t('Go to the chat')}
      </a>
    </main>
  )
}
