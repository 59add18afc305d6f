import type { ReactNode } from 'react'
import type { PublicConfiguration } from '../../contract/config.ts'
import { HistoryList } from '../features/history/history-list.tsx'
import { VisitorBadge } from '../features/sign-in/visitor-badge.tsx'
import { changes } from '../state/application-store.ts'
import { Button } from '../ui/button.tsx'
import { chatAddress } from './location.ts'
import { ThemeSwitch } from './theme-switch.tsx'
import { Wordmark } from './wordmark.tsx'

interface SidePanelProps {
  configuration: PublicConfiguration
  onNewChat(): void
  onChoose(): void
}

/** The name, the earlier chats, and what belongs to the whole page. */
export function SidePanel({ configuration, onNewChat, onChoose }: SidePanelProps): ReactNode {
  const openNotice = () => {
    onChoose()
    changes.noticeOpened()
  }
  return (
    <>
      <Wordmark name={configuration.name} />
      <Button look="outline" icon="plus" onClick={onNewChat}>
        New chat
      </Button>
      <nav aria-label="Earlier chats">
        <HistoryList addressOf={chatAddress} onChoose={onChoose} />
      </nav>
      <footer>
        <VisitorBadge />
        <ThemeSwitch />
        <Button className="small" onClick={openNotice}>
          Privacy notice
        </Button>
      </footer>
    </>
  )
}
