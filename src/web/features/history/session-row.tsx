import { type ReactNode, useRef, useState } from 'react'
import type { SessionDescription, SessionSummary } from '../../../contract/sessions.ts'
import { failureSentence } from '../../api/failure.ts'
import { describeSession } from '../../api/history-calls.ts'
import { useTranslate } from '../../language/translate.ts'
import { changes } from '../../state/application-store.ts'
import { useConfiguration } from '../../state/configuration.ts'
import { showMyData } from '../../state/my-data.ts'
import { notify } from '../../ui/notification.tsx'
import type { HistoryListProps } from './history-list-props.ts'
import { deleteWithUndo } from './pending-deletions.ts'
import { RenameField } from './rename-field.tsx'
import { SessionMenu } from './session-menu.tsx'

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
