import { type ReactNode, useRef, useState, type KeyboardEvent } from 'react'
import type { SessionDescription, SessionSummary } from '../../../contract/chat/sessions.ts'
import { failureSentence } from '../../api/failure.ts'
import { describeSession } from '../../api/history-calls.ts'
import { useTranslate } from '../../../ui/language/translate.ts'
import { changes } from '../../state/application-store.ts'
import { useConfiguration } from '../../state/configuration.ts'
import { showMyData } from '../../state/my-data.ts'
import { notify } from '../../../ui/notification.tsx'
import type { HistoryListProps } from './history-list-props.ts'
import { deleteWithUndo } from './pending-deletions.ts'
import { SessionMenu } from './session-menu.tsx'
import { MAX_TITLE_CHARACTERS } from '../../../contract/size-limits.ts'

interface SessionRowProps extends HistoryListProps {
  session: SessionSummary
  isOpen: boolean
}

/** A session in the list, with its menu. */
export function SessionRow({ session, isOpen, addressOf, onChoose, onLeaveChat }: SessionRowProps): ReactNode {
  const t = useTranslate()
  const [isRenaming, setRenaming] = useState(false)
  const row = useRef<HTMLLIElement>(null)
  const { key, runningTurn } = session
  const title = session.title || t('Untitled')
  const describeAs = (description: SessionDescription) => {
    describe(key, description).catch(console.error)
  }
  const endRenaming = (name: string | null) => {
    setRenaming(false)
    if (name && name !== session.title) describeAs({ title: name })
    // Restores the focus to the row once it is rendered, unless it has moved elsewhere.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) row.current?.querySelector('a')?.focus()
    })
  }
  const canShare = useConfiguration((configuration) => configuration?.sharing ?? false)
  const share = () => {
    onChoose()
    showMyData({ kind: 'share', session: key, title })
  }
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
      {isRenaming ? (
        <RenameField title={session.title} onEnd={endRenaming} />
      ) : (
        <a href={addressOf(key)} title={title} aria-current={isOpen ? 'page' : undefined} onClick={onChoose} dir="auto">
          <span className="name">{title}</span>
          {runningTurn && <span className="running" role="img" aria-label={t('Answering')} />}
        </a>
      )}
      <SessionMenu
        title={title}
        isPinned={session.pinned}
        fileAddress={`/api/v1/sessions/${key}/export`}
        onRename={() => setRenaming(true)}
        onPin={() => describeAs({ pinned: !session.pinned })}
        onShare={canShare ? share : undefined}
        onDelete={leave}
      />
    </li>
  )

  async function describe(of: string, description: SessionDescription): Promise<void> {
    const outcome = await describeSession(of, description)
    if (outcome.ok) changes.sessionChanged(outcome.value)
    else notify({ message: `${t('“{title}” wasn’t changed.', { title })} ${failureSentence(outcome.code)}`, type: 'error' })
  }
}

/** Moves the focus to the next row before this one is removed. */
function focusNeighbour(row: HTMLElement | null): void {
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling
  neighbour?.querySelector('a')?.focus()
}

interface RenameFieldProps {
  title: string
  /** Called once with the new name, or with null if unchanged. */
  onEnd(name: string | null): void
}

/** Renames a session. Enter and blur save, Escape cancels. */
function RenameField({ title, onEnd }: RenameFieldProps): ReactNode {
  const t = useTranslate()
  const hasEnded = useRef(false)
  const end = (name: string | null) => {
    if (hasEnded.current) return
    hasEnded.current = true
    onEnd(name?.trim() || null)
  }
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    // Enter that ends an IME composition only chooses a word.
    if (event.nativeEvent.isComposing || !['Enter', 'Escape'].includes(event.key)) return
    event.preventDefault()
    event.stopPropagation()
    end(event.key === 'Enter' ? event.currentTarget.value : null)
  }
  return (
    <input
      ref={selectWhole}
      className="rename"
      aria-label={t('Chat name')}
      defaultValue={title}
      maxLength={MAX_TITLE_CHARACTERS}
      dir="auto"
      onKeyDown={onKey}
      onBlur={(event) => end(event.currentTarget.value)}
    />
  )
}

const selectWhole = (field: HTMLInputElement | null) => field?.select()
