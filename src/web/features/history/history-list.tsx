import './history-list.css'
import { type ReactNode, type KeyboardEvent, type ToggleEvent, useDeferredValue, useEffect, useId, useRef, useState } from 'react'
import type { SessionSummary } from '../../../contract/chat/sessions.ts'
import { defineMessage, t } from '../../../ui/language/translate.ts'
import type { HistoryListProps } from './history-list-props.ts'
import { deleteWithUndo, usePendingDeletions } from './pending-deletions.ts'
import { MAX_SEARCH_CHARACTERS } from '../../../contract/size-limits.ts'
import { useApplication, changes } from '../../state/application-store.ts'
import { dayGroups } from './day-groups.ts'
import { fetchSessions } from '../../api/calls.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { useWhenNear } from '../../../ui/use-when-near.ts'
import { loadSessions } from './load-sessions.ts'
import type { FoundChat } from '../../../contract/chat/search.ts'
import { type FailureCode, failureSentence } from '../../api/failure.ts'
import { searchChats } from '../../api/history-calls.ts'
import { Icon } from '../../../ui/icon.tsx'

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

type Progress = { status: 'searching' } | { status: 'done'; next: string | null } | { status: 'failed'; code: FailureCode; next: string }

function FoundChats({ query, ...props }: HistoryListProps & { query: string }): ReactNode {
  const { chats, progress, searchOn } = useSearch(query)
  const next = progress.status === 'done' ? progress.next : null
  const end = useWhenNear(searchOn, next)
  return (
    <>
      <p role="status" className="muted found-note">
        {progress.status === 'searching' && t('Searching…')}
        {progress.status === 'done' && chats.length === 0 && !next && t('No results. Try fewer words or the start of a word.')}
        {progress.status === 'done' && chats.length > 0 && t.plural(chats.length, '{count} chat', '{count} chats')}
        {next && chats.length > 0 && ` · ${t('more below')}`}
      </p>
      <ul className="history found">
        {chats.map((chat) => (
          <Found key={chat.session.key} chat={chat} {...props} />
        ))}
      </ul>
      {progress.status === 'failed' && (
        <div className="history-note" role="alert">
          <p>
            {t('Couldn’t search your chats.')} {failureSentence(progress.code)}
          </p>
          <Button variant="outline" className="small" icon="retry" onClick={searchOn}>
            {t('Search again')}
          </Button>
        </div>
      )}
      <div ref={end} />
    </>
  )
}

function useSearch(query: string) {
  const [chats, setChats] = useState<FoundChat[]>([])
  const [progress, setProgress] = useState<Progress>({ status: 'searching' })
  const [leaving] = useState(() => new AbortController())
  const search = async (cursor: string) => {
    setProgress({ status: 'searching' })
    const outcome = await searchChats(query, cursor, leaving.signal).catch(() => null)
    if (!outcome) return
    if (!outcome.ok) return setProgress({ status: 'failed', code: outcome.code, next: cursor })
    setChats((before) => [...before, ...outcome.value.chats])
    setProgress({ status: 'done', next: outcome.value.next })
  }
  useEffect(() => {
    search('').catch(console.error)
    return () => leaving.abort()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- runs once; each query mounts a new component
  }, [])
  const searchOn = async () => {
    if (progress.status !== 'searching' && progress.next !== null) await search(progress.next)
  }
  return { chats, progress, searchOn }
}

function Found({ chat: { session, excerpt }, addressOf, onChoose }: { chat: FoundChat } & HistoryListProps): ReactNode {
  const { key, title } = session
  const isOpen = useApplication((state) => state.currentSession?.key === key)
  return (
    <li>
      <a href={addressOf(key)} aria-current={isOpen ? 'page' : undefined} onClick={onChoose} dir="auto">
        <strong>{title || t('Untitled')}</strong>
        {/* oxlint-disable-next-line react/no-array-index-key -- pieces never change places */}
        {excerpt.map(({ text, marked }, index) => (marked ? <mark key={index}>{text}</mark> : text))}
      </a>
    </li>
  )
}

/** The menu of a session, in a native popover that closes on Escape and outside clicks. */
function SessionMenu({ title, fileAddress, onDelete }: { title: string; fileAddress: string; onDelete(): void }): ReactNode {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const open = ({ newState }: ToggleEvent) => {
    if (newState !== 'open') return
    setOpen(true)
    if (button.current && menu.current) placeBelow(button.current, menu.current)
  }
  // The browser restores the focus before this event.
  const empty = ({ newState }: ToggleEvent) => {
    if (newState === 'closed') setOpen(false)
  }
  const choose = (act: () => void) => () => {
    menu.current?.hidePopover()
    act()
  }
  return (
    <>
      <IconButton
        ref={button}
        icon="more"
        label={t('Options for “{title}”', { title })}
        title={t('More')}
        className="small"
        popoverTarget={id}
      />
      <div ref={menu} id={id} popover="auto" className="session-menu" onBeforeToggle={open} onToggle={empty}>
        {isOpen && (
          <>
            <a className="button quiet" href={fileAddress} download onClick={() => menu.current?.hidePopover()}>
              <Icon name="down" />
              {t('Download')}
            </a>
            <hr />
            <Button icon="bin" className="danger" onClick={choose(onDelete)}>
              {t('Delete')}
            </Button>
          </>
        )}
      </div>
    </>
  )
}

/** Height of the menu in CSS pixels. It opens upwards if there is less room below. */
const ROOM_PX = 126

function placeBelow(button: HTMLElement, menu: HTMLElement): void {
  const { top, bottom, left, right } = button.getBoundingClientRect()
  const opensUp = innerHeight - bottom < ROOM_PX
  const isRightToLeft = getComputedStyle(button).direction === 'rtl'
  Object.assign(menu.style, {
    top: opensUp ? 'auto' : `${bottom}px`,
    bottom: opensUp ? `${innerHeight - top}px` : 'auto',
    left: isRightToLeft ? `${left}px` : 'auto',
    right: isRightToLeft ? 'auto' : `${document.documentElement.clientWidth - right}px`,
  })
}
