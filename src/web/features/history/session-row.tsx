import { type ReactNode, useRef, useState } from 'react'
import type { SessionDescription, SessionSummary } from '../../../contract/sessions.ts'
import { failureSentence } from '../../api/failure.ts'
import { describeSession } from '../../api/history-calls.ts'
import { useTranslate } from '../../language/translate.ts'
import { changes } from '../../state/application-store.ts'
import { useConfiguration } from '../../state/configuration.ts'
import { showMyData } from '../../state/my-data.ts'
import { notify } from '../../ui/notification.tsx'
import type { HistoryListProps } from './history-list.tsx'
import { deleteWithUndo } from './pending-deletions.ts'
import { RenameField } from './rename-field.tsx'
import { SessionMenu } from './session-menu.tsx'

interface SessionRowProps extends HistoryListProps {
  session: SessionSummary
  isOpen: boolean
}

/** One session of the list: where it opens, and what can be done with it. */
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
    // The field goes with the focus; what it stood for takes it back, once it is there, unless it has gone elsewhere.
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
    onChoose()
    if (isOpen) onLeaveChat()
    deleteWithUndo({ key, title }, () => {
      if (isOpen) location.hash = addressOf(key)
      // The button goes with the focus; the row takes it, once it is there again.
      else requestAnimationFrame(() => document.querySelector<HTMLElement>(`.history a[href="${addressOf(key)}"]`)?.focus())
    })
  }
  return (
    <li ref={row}>
      {isRenaming ? (
        <RenameField title={session.title} onEnd={endRenaming} />
      ) : (
        <a href={addressOf(key)} aria-current={isOpen ? 'page' : undefined} onClick={onChoose} dir="auto">
          {title}
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
    else notify({ message: `${t('“{title}” was not changed.', { title })} ${failureSentence(outcome.code)}`, type: 'error' })
  }
}

/** The row is about to go: who came by keyboard goes on from the next one. */
function focusNeighbour(row: HTMLElement | null): void {
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling
  neighbour?.querySelector('a')?.focus()
}
