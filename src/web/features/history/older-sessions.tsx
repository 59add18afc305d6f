import { type ReactNode, useState } from 'react'
import { fetchSessions } from '../../api/calls.ts'
import { useTranslate } from '../../language/translate.ts'
import { changes, useApplication } from '../../state/application-store.ts'
import { Button } from '../../ui/button.tsx'
import { useWhenNear } from '../../ui/use-when-near.ts'
import { loadSessions } from './load-sessions.ts'

/** Loads more of the list when its end comes near. Offers a retry on failure. */
export function OlderSessions(): ReactNode {
  const t = useTranslate()
  const next = useApplication((state) => state.nextSessions)
  const [isLoading, setLoading] = useState(false)
  const load = async () => {
    if (isLoading || !next) return
    setLoading(true)
    const outcome = await fetchSessions(next)
    // The visitor has signed in meanwhile, so the list is another one.
    if (!outcome.ok && outcome.code === 'invalid_request') await loadSessions()
    if (outcome.ok && useApplication.getState().nextSessions === next) changes.moreSessionsReceived(outcome.value)
    setLoading(false)
  }
  const end = useWhenNear(load, next)
  return (
    next && (
      <div ref={end} className="older">
        <Button
          className="small"
          disabled={isLoading}
          onClick={() => {
            load().catch(console.error)
          }}
        >
          {isLoading ? t('Loading…') : t('Show older chats')}
        </Button>
      </div>
    )
  )
}
