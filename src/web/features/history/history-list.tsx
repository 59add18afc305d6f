import type { HistoryListProps } from './history-list-props.ts'
import { type ReactNode, useState } from 'react'
import { defineMessage, useTranslate } from '../../../ui/language/translate.ts'
import { useApplication, changes } from '../../state/application-store.ts'
import { ChatSearch } from './chat-search.tsx'
import { dayGroups } from './day-groups.ts'
import './history-list.css'
import { usePendingDeletions } from './pending-deletions.ts'
import { SessionRow } from './session-row.tsx'
import { fetchSessions } from '../../api/calls.ts'
import { Button } from '../../../ui/button.tsx'
import { useWhenNear } from '../../../ui/use-when-near.ts'
import { loadSessions } from './load-sessions.ts'

const NAMES = {
  Today: defineMessage('Today'),
  Yesterday: defineMessage('Yesterday'),
  'Last 7 days': defineMessage('Last 7 days'),
  Older: defineMessage('Older'),
}

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

/** Loads more of the list when its end comes near. Offers a retry on failure. */
function OlderSessions(): ReactNode {
  const t = useTranslate()
  const next = useApplication((state) => state.nextSessions)
  const [isLoading, setLoading] = useState(false)
  const load = async () => {
    if (isLoading || !next) return
    setLoading(true)
    const outcome = await fetchSessions(next)
    // The device has moved to another visitor meanwhile, so the list is another one.
    if (!outcome.ok && outcome.code === 'invalid_request') await loadSessions()
    if (outcome.ok && useApplication.getState().nextSessions === next) changes.moreSessionsReceived(outcome.value)
    setLoading(false)
  }
  const end = useWhenNear(load, next)
  return (
    next && (
      <div ref={end} className="older">
        <Button className="small" disabled={isLoading} onClick={load}>
          {isLoading ? t('Loading…') : t('Show older chats')}
        </Button>
      </div>
    )
  )
}
