import { type ReactNode, useState } from 'react'
import { SHARE_DAYS } from '../../../contract/size-limits.ts'
import type { FailureCode } from '../../api/failure.ts'
import { makeShare } from '../../api/share-calls.ts'
import { useTranslate } from '../../language/translate.ts'
import { Button } from '../../ui/button.tsx'
import { dataFailureSentence } from './failure-sentences.ts'
import { SharedLinks } from './shared-links.tsx'

/** Creates links to a chat and lists existing ones. */
export function ShareView({ session, title }: { session: string; title: string }): ReactNode {
  const t = useTranslate()
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState(0)
  const [failure, setFailure] = useState<FailureCode | null>(null)
  const make = async (days: (typeof SHARE_DAYS)[number]) => {
    setMaking(true)
    const outcome = await makeShare(session, { days })
    setMaking(false)
    setFailure(outcome.ok ? null : outcome.code)
    if (outcome.ok) setMade(made + 1)
  }
  return (
    <>
      <p>
        {t.with(
          'Whoever has the link can read {title} as it is now: what you wrote, the answers and their sources. What comes later stays yours.',
          {
            title: <strong dir="auto">{title}</strong>,
          },
        )}
      </p>
      <p>
        {t(
          'The link does not say who you are. It ends by itself, when you revoke it, and when the chat is deleted. How long is it to last?',
        )}
      </p>
      <div className="choices">
        {SHARE_DAYS.map((days) => (
          <Button
            key={days}
            look="outline"
            disabled={isMaking}
            onClick={() => {
              make(days).catch(console.error)
            }}
          >
            {t.plural(days, '{count} day', '{count} days')}
          </Button>
        ))}
      </div>
      {failure && (
        <p role="alert" className="bad">
          {dataFailureSentence(failure)}
        </p>
      )}
      <p role="status" className="sr-only">
        {made > 0 && t('The link is made.')}
      </p>
      <SharedLinks key={made} session={session} />
    </>
  )
}
