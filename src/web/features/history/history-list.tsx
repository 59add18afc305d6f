import './history-list.css'
import { type ReactNode, type KeyboardEvent, useRef, useDeferredValue, useEffect, useState } from 'react'
import type { SessionSummary } from '../../../contract/chat/sessions.ts'
import { defineMessage, t } from '../../../ui/language/translate.ts'
import type { HistoryListProps } from './history-list-props.ts'
import { deleteWithUndo, usePendingDeletions } from './pending-deletions.ts'
import { SessionMenu } from './session-menu.tsx'
import { MAX_SEARCH_CHARACTERS } from '../../../contract/size-limits.ts'
import { FoundChats } from './found-chats.tsx'
import { useApplication, changes } from '../../state/application-store.ts'
import { dayGroups } from './day-groups.ts'
import { fetchSessions } from '../../api/calls.ts'
import { Button } from '../../../ui/button.tsx'
import { useWhenNear } from '../../../ui/use-when-near.ts'
import { loadSessions } from './load-sessions.ts'

interface SessionRowProps extends HistoryListProps {
  session: SessionSummary
  isOpen: boolean
}

function SessionRow({ session, isOpen, addressOf, onChoose, onLeaveChat }: SessionRowProps): ReactNode {
  const row = useRef<HTMLLIElement>(null)
  const { key, runningTurn } = session
  const title = session.title || t('Untitled')
  const leave = () => {
    focusNeighbour(row.current)
    if (isOpen) onLeaveChat()
    deleteWithUndo({ key, title }, () => {
      if (isOpen) location.hash = addressOf(key)
      // Restores the focus to the row once it is rendered again.
      else requestAnimationFrame(() => document.querySelector<HTMLElement>(`.history a[href="${addressOf(key)}"]`)?.focus())
    })
  }
  return (
    <li ref={row}>
      <a href={addressOf(key)} title={title} aria-current={isOpen ? 'page' : undefined} onClick={onChoose} dir="auto">
        <span className="name">{title}</span>
        {runningTurn && <span className="running" role="img" aria-label={t('Answering')} />}
      </a>
      <SessionMenu title={title} fileAddress={`/api/v1/sessions/${key}/export`} onDelete={leave} />
    </li>
  )
}

/** Moves the focus to the next row before this one is removed. */
function focusNeighbour(row: HTMLElement | null): void {
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling
  neighbour?.querySelector('a')?.focus()
}

const PAUSE_MS = 250

/** Shows its children while the search field is empty. */
function ChatSearch({ children, ...props }: HistoryListProps & { children: ReactNode }): ReactNode {
  const [typed, setTyped] = useState('')
  const query = useDeferredValue(useSettled(typed.trim()))
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape' && typed) {
      // Escape would also close the drawer.
      event.preventDefault()
      setTyped('')
    }
    if (event.key === 'ArrowDown') {
      event.preventDefault()
      event.currentTarget.closest('nav')?.querySelector('a')?.focus()
    }
  }
  return (
    <>
      <div className="chat-search" role="search">
        <input
          type="search"
          aria-label={t('Search your chats')}
          aria-keyshortcuts="Control+K Meta+K"
          placeholder={t('Search')}
          value={typed}
          maxLength={MAX_SEARCH_CHARACTERS}
          dir="auto"
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={onKey}
        />
      </div>
      {query ? <FoundChats key={query} query={query} {...props} /> : children}
    </>
  )
}

/** The debounced value; empty values apply at once. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), value ? PAUSE_MS : 0)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

const NAMES = {
  Today: defineMessage('Today'),
  Yesterday: defineMessage('Yesterday'),
  'Last 7 days': defineMessage('Last 7 days'),
  Older: defineMessage('Older'),
}

export default function HistoryList(props: HistoryListProps): ReactNode {
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
