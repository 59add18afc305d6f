import { type ReactNode, useEffect, useState } from 'react'
import type { FoundChat } from '../../../contract/chat/search.ts'
import { type FailureCode, failureSentence } from '../../api/failure.ts'
import { searchChats } from '../../api/history-calls.ts'
import { t } from '../../../ui/language/translate.ts'
import { useApplication } from '../../state/application-store.ts'
import { Button } from '../../../ui/button.tsx'
import { useWhenNear } from '../../../ui/use-when-near.ts'
import type { HistoryListProps } from './history-list-props.ts'

type Progress = { status: 'searching' } | { status: 'done'; next: string | null } | { status: 'failed'; code: FailureCode; next: string }

export function FoundChats({ query, ...props }: HistoryListProps & { query: string }): ReactNode {
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
