import type { ReactNode } from 'react'
import { sentence, useSay } from '../../language/say.ts'
import { useApplication } from '../../state/application-store.ts'
import { showMyData } from '../../state/my-data.ts'
import { IconButton } from '../../ui/button.tsx'
import { dayGroups } from './day-groups.ts'

const NAMES = { Today: sentence('Today'), Yesterday: sentence('Yesterday'), Earlier: sentence('Earlier') }

export interface HistoryListProps {
  /** Where a session opens. */
  addressOf(key: string): string
  onChoose(): void
}

/** The visitor's earlier sessions by day, the open one marked. */
export default function HistoryList({ addressOf, onChoose }: HistoryListProps): ReactNode {
  const say = useSay()
  const sessions = useApplication((state) => state.chatSessions)
  const openKey = useApplication((state) => state.currentSession?.key)
  const askToDelete = (key: string, title: string) => {
    onChoose()
    showMyData({ kind: 'erase', scope: { kind: 'session', key, title } })
  }
  return dayGroups(sessions, new Date()).map(({ name, items }) => (
    <section key={name} className="history">
      <h3>{say(NAMES[name])}</h3>
      <ul>
        {items.map(({ key, title, runningTurn }) => (
          <li key={key}>
            <a href={addressOf(key)} aria-current={key === openKey ? 'page' : undefined} onClick={onChoose} dir="auto">
              {title || say('Untitled')}
              {runningTurn && <span className="running" role="img" aria-label={say('Answering')} />}
            </a>
            <IconButton
              icon="bin"
              label={say('Delete “{title}”', { title: title || say('Untitled') })}
              title={say('Delete')}
              className="small"
              onClick={() => askToDelete(key, title)}
            />
          </li>
        ))}
      </ul>
    </section>
  ))
}
