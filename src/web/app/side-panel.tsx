import { type ReactNode, Suspense, useState } from 'react'
import type { PublicConfiguration } from '../../contract/config.ts'
import { History } from '../features/history/history.tsx'
import type { RedirectState } from '../features/sign-in/sign-out.ts'
import { VisitorBadge } from '../features/sign-in/visitor-badge.tsx'
import { useVisitor } from '../features/sign-in/visitor.ts'
import { LanguageSwitch } from '../../ui/language/language-switch.tsx'
import { useTranslate, defineMessage } from '../../ui/language/translate.ts'
import { changes, useApplication } from '../state/application-store.ts'
import type { FoundPlace } from '../state/search-position.ts'
import { showMyData } from '../state/my-data.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { chatAddress } from './location.ts'
import { Wordmark } from './wordmark.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { setTheme, THEMES, useTheme } from '../../ui/theme.ts'

const Account = lazyPart(() => import('../features/sign-in/account.tsx'))

interface SidePanelProps {
  configuration: PublicConfiguration
  onNewChat(): void
  /** Starts a new chat in place of the open one, which is being deleted. */
  onLeaveChat(): void
  onChoose(): void
}

/** The name, the chats, and the controls of the whole page. */
export function SidePanel({ configuration, onNewChat, onLeaveChat, onChoose }: SidePanelProps): ReactNode {
  const t = useTranslate()
  const { signIn, branding } = configuration
  const accepts = useApplication((state) => state.acceptsPrivacyPolicy)
  const isSignedIn = useVisitor((visitor) => visitor?.signedIn ?? false)
  const [leaving, setLeaving] = useState<RedirectState>({ status: 'here' })
  const openNotice = () => {
    onChoose()
    changes.noticeOpened()
  }
  return (
    <>
      <Wordmark name={configuration.name} />
      <Button variant="outline" icon="plus" onClick={onNewChat}>
        {t('New chat')}
      </Button>
      <nav aria-label={t('Chat history')}>
        <History addressOf={chatAddress} onChoose={onChoose} onLeaveChat={onLeaveChat} onFound={showFound} />
      </nav>
      <footer>
        <VisitorBadge canSignIn={signIn} />
        {signIn && (
          <Suspense fallback={null}>
            <Account isSignedIn={isSignedIn} leaving={leaving} onLeaving={setLeaving} askForConsent={accepts ? null : openNotice} />
          </Suspense>
        )}
        <Button className="small" onClick={() => showMyData({ kind: 'overview' })}>
          {t('My data')}
        </Button>
        <Button className="small" onClick={openNotice}>
          {t('Privacy notice')}
        </Button>
        {branding.links.map(({ label, url }) => (
          <a key={url} className="button quiet small" href={url} target="_blank" rel="noopener noreferrer" dir="auto">
            {label}
          </a>
        ))}
        <LanguageSwitch />
        <ThemeSwitch />
      </footer>
    </>
  )
}

function showFound(place: FoundPlace): void {
  import('./show-found.ts').then((loaded) => loaded.showFound(place)).catch(console.error)
}

const LABELS = { system: defineMessage('System'), light: defineMessage('Light'), dark: defineMessage('Dark') }

/** Light, dark or system; stored after consent. */
function ThemeSwitch(): ReactNode {
  const t = useTranslate()
  const current = useTheme()
  const accepts = useApplication((state) => state.acceptsPrivacyPolicy && !state.isSharedComputer)
  return (
    <div className="switch" role="group" aria-label={t('Theme')}>
      {THEMES.map((theme) => (
        <IconButton
          key={theme}
          icon={theme}
          label={t(LABELS[theme])}
          className="small"
          aria-pressed={theme === current}
          onClick={() => setTheme(theme, accepts)}
        />
      ))}
    </div>
  )
}
