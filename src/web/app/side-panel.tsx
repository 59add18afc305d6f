import type { ReactNode } from 'react'
import type { PublicConfiguration } from '../../contract/config.ts'
import { fillIn, send } from '../features/chat/chat-actions.ts'
import { History } from '../features/history/history.tsx'
import { LanguageSwitch } from '../../ui/language/language-switch.tsx'
import { t, defineMessage } from '../../ui/language/translate.ts'
import { changes, useApplication } from '../state/application-store.ts'
import { showMyData } from '../state/my-data.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { chatAddress } from './location.ts'
import { Wordmark } from './wordmark.tsx'
import { setTheme, THEMES, useTheme } from '../../ui/theme.ts'

interface SidePanelProps {
  configuration: PublicConfiguration
  onNewChat(): void
  /** Starts a new chat in place of the open one, which is being deleted. */
  onLeaveChat(): void
  onChoose(): void
}

export function SidePanel({ configuration, onNewChat, onLeaveChat, onChoose }: SidePanelProps): ReactNode {
  const openNotice = () => {
    onChoose()
    changes.noticeOpened()
  }
  const askPerson = () => {
    onChoose()
    const { acceptsPrivacyPolicy, isSendingChat } = useApplication.getState()
    const ask = acceptsPrivacyPolicy && !isSendingChat ? send : fillIn
    ask(t('I’d like to talk to a person.'))
  }
  return (
    <>
      <Wordmark name={configuration.name} />
      <Button variant="outline" icon="plus" onClick={onNewChat}>
        {t('New chat')}
      </Button>
      <nav aria-label={t('Chat history')}>
        <History addressOf={chatAddress} onChoose={onChoose} onLeaveChat={onLeaveChat} />
      </nav>
      <footer>
        {configuration.agent.handover && (
          <Button className="small" onClick={askPerson}>
            {t('Ask a person')}
          </Button>
        )}
        <Button className="small" onClick={() => showMyData({ kind: 'overview' })}>
          {t('My data')}
        </Button>
        <Button className="small" onClick={openNotice}>
          {t('Privacy notice')}
        </Button>
        <a className="button quiet small" href="./accessibility.html" target="_blank">
          {t('Accessibility')}
        </a>
        {configuration.branding.links.map(({ label, url }) => (
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

const LABELS = { system: defineMessage('System'), light: defineMessage('Light'), dark: defineMessage('Dark') }

/** Light, dark or system; stored after consent. */
function ThemeSwitch(): ReactNode {
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
