import type { ReactNode } from 'react'
import { useApplication } from '../../state/application-store.ts'
import { Button } from '../../ui/button.tsx'

interface ChatMannerProps {
  onTemporary(isTemporary: boolean): void
  onSharedComputer(isShared: boolean): void
}

/** Two switches for who wants less to be kept, where a chat begins. */
export function ChatManner({ onTemporary, onSharedComputer }: ChatMannerProps): ReactNode {
  const isTemporary = useApplication((state) => state.isTemporary)
  const isShared = useApplication((state) => state.isSharedComputer)
  return (
    <div className="chips">
      <Button look="outline" className="small" aria-pressed={isTemporary} onClick={() => onTemporary(!isTemporary)}>
        Temporary chat
      </Button>
      <Button look="outline" className="small" aria-pressed={isShared} onClick={() => onSharedComputer(!isShared)}>
        Shared computer
      </Button>
    </div>
  )
}

/** Says above the composer what is switched on. */
export function MannerLine(): ReactNode {
  const isTemporary = useApplication((state) => state.isTemporary)
  const isShared = useApplication((state) => state.isSharedComputer)
  return (
    <p role="status" className="hint">
      {isTemporary && 'Temporary chat: not listed, gone when you leave it. '}
      {isShared && 'Shared computer: all goes when this tab is closed or reloaded.'}
    </p>
  )
}

/** When the open chat goes, if nothing happens in it until then. */
export function KeptUntil(): ReactNode {
  const expiresAt = useApplication(
    ({ chatSessions, currentSession }) => chatSessions.find(({ key }) => key === currentSession?.key)?.expiresAt,
  )
  return expiresAt && <>Kept until {dayOf(expiresAt)} · </>
}

const SOON_MS = 2 * 24 * 60 * 60 * 1000

/** The day, and the time too when that is near. */
function dayOf(time: string): string {
  const isSoon = Date.parse(time) - Date.now() < SOON_MS
  return new Date(time).toLocaleString('en', { month: 'long', day: 'numeric', ...(isSoon && { hour: 'numeric', minute: '2-digit' }) })
}
