import { memo, type ReactNode } from 'react'
import { say, useSay } from '../../language/say.ts'
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

/** When the open chat goes, if nothing happens in it until then. */
export const KeptUntil = memo(function KeptUntil(): ReactNode {
  useSay()
  const expiresAt = useApplication(
    ({ chatSessions, currentSession }) => chatSessions.find(({ key }) => key === currentSession?.key)?.expiresAt,
  )
  return expiresAt && <>{say('Kept until {day}', { day: dayOf(expiresAt) })} · </>
})

const SOON_MS = 2 * 24 * 60 * 60 * 1000

/** The day, and the time too when that is near. */
function dayOf(time: string): string {
  const isSoon = Date.parse(time) - Date.now() < SOON_MS
  return say.time(time, { month: 'long', day: 'numeric', ...(isSoon && { hour: 'numeric', minute: '2-digit' }) })
}
