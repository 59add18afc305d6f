import type { ReactNode } from 'react'
import { t } from '../../../../ui/language/translate.ts'
import { changes, useApplication } from '../../../state/application-store.ts'
import { Button } from '../../../../ui/button.tsx'

export function ChatOptions({ onSharedComputer }: { onSharedComputer(isShared: boolean): void }): ReactNode {
  const isTemporary = useApplication((state) => state.isTemporary)
  const isShared = useApplication((state) => state.isSharedComputer)
  return (
    <div className="chat-options">
      <Button className="small" aria-pressed={isTemporary} onClick={() => changes.temporaryChanged(!isTemporary)}>
        {t('Temporary chat')}
      </Button>
      <Button className="small" aria-pressed={isShared} onClick={() => onSharedComputer(!isShared)}>
        {t('Shared computer')}
      </Button>
    </div>
  )
}

export function ChatOptionsLine(): ReactNode {
  const isTemporary = useApplication((state) => state.isTemporary)
  const isShared = useApplication((state) => state.isSharedComputer)
  return (
    <p role="status" className={isTemporary ? 'hint temporary' : 'hint'}>
      {isTemporary && <b>{t('Temporary chat')}</b>}
      {isShared && t('Shared computer: chats are erased when you close or reload this tab.')}
    </p>
  )
}
