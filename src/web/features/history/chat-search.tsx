import { type KeyboardEvent, type ReactNode, useDeferredValue, useEffect, useState } from 'react'
import { MAX_SEARCH_CHARACTERS } from '../../../contract/size-limits.ts'
import { useTranslate } from '../../../ui/language/translate.ts'
import { FoundChats } from './found-chats.tsx'
import type { HistoryListProps } from './history-list-props.ts'

const PAUSE_MS = 250

interface ChatSearchProps extends HistoryListProps {
  /** Shown while the search field is empty. */
  children: ReactNode
}

export function ChatSearch({ children, ...props }: ChatSearchProps): ReactNode {
  const t = useTranslate()
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
