import type { HistoryListProps } from './history-list-props.ts'
import type { ReactNode } from 'react'
import { defineMessage, useTranslate } from '../../language/translate.ts'
import { useApplication } from '../../state/application-store.ts'
import { ChatSearch } from './chat-search.tsx'
import { dayGroups } from './day-groups.ts'
import './history-list.css'
import { usePendingDeletions } from './pending-deletions.ts'
import { OlderSessions } from './older-sessions.tsx'
import { SessionRow } from './session-row.tsx'

const NAMES = {
  Pinned: defineMessage('Pinned'),
  Today: defineMessage('Today'),
  Yesterday: defineMessage('Yesterday'),
  'Last 7 days': defineMessage('Last 7 days'),
  Older: defineMessage('Older'),
}

/** The visitor's sessions by day. Marks the open one. */
export default function HistoryList(props: HistoryListProps): ReactNode {
  const t = useTranslate()
  const sessions = useApplication((state) => state.chatSessions)
  const openKey = useApplication((state) => state.currentSession?.key)
  const leaving = usePendingDeletions()
  const shown = sessions.filter(({ key }) => !leaving.has(key))
  return (
    <ChatSearch {...props}>
      {dayGroups(shown, new Date()).map(({ name, items }) => (
        <section key={name} className="history">
          <h3>{t(NAMES[name])}</h3>
          <ul>
            {items.map((session) => (
              <SessionRow key={session.key} session={session} isOpen={session.key === openKey} {...props} />
            ))}
          </ul>
        </section>
      ))}
      <OlderSessions />
    </ChatSearch>
  )
}
