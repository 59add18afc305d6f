import { type ReactNode, useState } from 'react'
import { flushSync } from 'react-dom'
import { failureSentence } from '../../../api/failure.ts'
import { fetchEarlier } from '../../../api/history-calls.ts'
import { t } from '../../../../ui/language/translate.ts'
import { chatEvents } from '../../../state/application-store.ts'
import { Button } from '../../../../ui/button.tsx'
import { notify } from '../../../../ui/notification.tsx'
import { useWhenNear } from '../../../../ui/use-when-near.ts'

/** Loads earlier messages on demand, without moving the reading position. */
export default function EarlierMessages({ session, before }: { session: string; before: string }): ReactNode {
  const [isLoading, setLoading] = useState(false)
  const load = async () => {
    if (isLoading) return
    setLoading(true)
    const outcome = await fetchEarlier(session, before)
    if (outcome.ok) keepingPlace(() => chatEvents.dispatch({ type: 'earlier-received', key: session, before, page: outcome.value }))
    else notify({ message: `${t('Couldn’t load earlier messages.')} ${failureSentence(outcome.code)}`, type: 'error' })
    setLoading(false)
  }
  const start = useWhenNear(load, before)
  return (
    <div ref={start} className="earlier">
      <Button className="small" disabled={isLoading} onClick={load}>
        {isLoading ? t('Loading…') : t('Show earlier messages')}
      </Button>
    </div>
  )
}

function keepingPlace(change: () => void): void {
  const anchor = [...document.querySelectorAll('.thread .message')].find((message) => message.getBoundingClientRect().bottom > 0)
  const before = anchor?.getBoundingClientRect().top ?? 0
  flushSync(change)
  if (anchor) scrollBy({ top: anchor.getBoundingClientRect().top - before, behavior: 'instant' })
}
