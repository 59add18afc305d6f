import { type ReactNode, useRef } from 'react'
import type { SessionSummary } from '../../../contract/chat/sessions.ts'
import { useTranslate } from '../../../ui/language/translate.ts'
import { useConfiguration } from '../../state/configuration.ts'
import { showMyData } from '../../state/my-data.ts'
import type { HistoryListProps } from './history-list-props.ts'
import { deleteWithUndo } from './pending-deletions.ts'
import { SessionMenu } from './session-menu.tsx'

interface SessionRowProps extends HistoryListProps {
  session: SessionSummary
  isOpen: boolean
}

export function SessionRow({ session, isOpen, addressOf, onChoose, onLeaveChat }: SessionRowProps): ReactNode {
  const t = useTranslate()
  const row = useRef<HTMLLIElement>(null)
  const { key, runningTurn } = session
  const title = session.title || t('Untitled')
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
      <a href={addressOf(key)} title={title} aria-current={isOpen ? 'page' : undefined} onClick={onChoose} dir="auto">
        <span className="name">{title}</span>
        {runningTurn && <span className="running" role="img" aria-label={t('Answering')} />}
      </a>
      <SessionMenu title={title} fileAddress={`/api/v1/sessions/${key}/export`} onShare={canShare ? share : undefined} onDelete={leave} />
    </li>
  )
}

/** Moves the focus to the next row before this one is removed. */
function focusNeighbour(row: HTMLElement | null): void {
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling
  neighbour?.querySelector('a')?.focus()
}
