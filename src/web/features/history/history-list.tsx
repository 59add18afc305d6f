import type { ReactNode } from 'react'
import { failureSentence } from '../../api/failure.ts'
import { useApplication } from '../../state/application-store.ts'
import { Button } from '../../ui/button.tsx'
import { dayGroups } from './day-groups.ts'
import { loadSessions, useListFailure } from './load-sessions.ts'

interface HistoryListProps {
  /** Where a session opens. */
  addressOf(key: string): string
  onChoose?(): void
}

/** The visitor's earlier sessions by day, the open one marked. */
export function HistoryList({ addressOf, onChoose }: HistoryListProps): ReactNode {
  const sessions = useApplication((state) => state.chatSessions)
  const openKey = useApplication((state) => state.currentSession?.key)
  const isFetching = useApplication((state) => state.isFetchingChatSession)
  const accepts = useApplication((state) => state.acceptsPrivacyPolicy)
  const failure = useListFailure((state) => state.code)
  if (failure && sessions.length === 0) return <ListFailed sentence={failureSentence(failure)} />
  if (sessions.length === 0) {
    return <p className="muted history-note">{isFetching && accepts ? 'Loading your chats…' : 'Your chats will be listed here.'}</p>
  }
  return dayGroups(sessions, new Date()).map(({ name, items }) => (
    <section key={name} className="history">
      <h3>{name}</h3>
      <ul>
        {items.map(({ key, title, runningTurn }) => (
          <li key={key}>
            <a href={addressOf(key)} aria-current={key === openKey ? 'page' : undefined} onClick={onChoose} dir="auto">
              {title || 'Untitled'}
              {runningTurn && <span className="running" role="img" aria-label="Answering" />}
            </a>
          </li>
        ))}
      </ul>
    </section>
  ))
}

function ListFailed({ sentence }: { sentence: string }): ReactNode {
  return (
    <div className="history-note">
      <p>Your chats could not be loaded. {sentence}</p>
      <Button
        look="outline"
        className="small"
        icon="retry"
        onClick={() => {
          loadSessions().catch(console.error)
        }}
      >
        Load again
      </Button>
    </div>
  )
}
