import type { ReactNode } from 'react'
import { say, useSay } from '../../language/translate.ts'
import { useApplication } from '../../state/application-store.ts'
import { Button } from '../../ui/button.tsx'

interface ChatMannerProps {
  onTemporary(isTemporary: boolean): void
  onSharedComputer(isShared: boolean): void
}

/** Two switches for who wants less to be kept, where a chat begins. */
export function ChatManner({ onTemporary, onSharedComputer }: ChatMannerProps): ReactNode {
  useSay()
  const isTemporary = useApplication((state) => state.isTemporary)
  const isShared = useApplication((state) => state.isSharedComputer)
  return (
    <div className="chips">
      <Button look="outline" className="small" aria-pressed={isTemporary} onClick={() => onTemporary(!isTemporary)}>
        {say('Temporary chat')}
      </Button>
      <Button look="outline" className="small" aria-pressed={isShared} onClick={() => onSharedComputer(!isShared)}>
        {say('Shared computer')}
      </Button>
    </div>
  )
}

/** Says above the composer what is switched on. */
export function MannerLine(): ReactNode {
  useSay()
  const isTemporary = useApplication((state) => state.isTemporary)
  const isShared = useApplication((state) => state.isSharedComputer)
  return (
    <p role="status" className="hint">
      {isTemporary && `${say('Temporary chat: not listed, gone when you leave it.')} `}
      {isShared && say('Shared computer: all goes when this tab is closed or reloaded.')}
    </p>
  )
}
