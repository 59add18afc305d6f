import { type ReactNode, useState } from 'react'
import { SHARE_DAYS } from '../../../contract/size-limits.ts'
import type { FailureCode } from '../../api/failure.ts'
import { makeShare } from '../../api/share-calls.ts'
import { useTranslate } from '../../../ui/language/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { RadioGroup } from '../../../ui/radio-group.tsx'
import { FailureNote } from './failure-note.tsx'
import { SharedLinks } from './shared-links.tsx'

export function ShareView({ session, title }: { session: string; title: string }): ReactNode {
  const t = useTranslate()
  const [chosen, setChosen] = useState<(typeof SHARE_DAYS)[number]>(7)
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
          'Anyone with the link can read {title} as it is now: your messages, the answers and their sources. Later messages aren’t shared.',
          {
            title: <strong dir="auto">{title}</strong>,
          },
        )}
      </p>
      <p>{t('The link doesn’t show who you are. It stops working when it expires, when you revoke it, or when the chat is deleted.')}</p>
      <RadioGroup
        legend={<strong>{t('Link expires after')}</strong>}
        options={SHARE_DAYS.map((days) => [days, t.plural(days, '{count} day', '{count} days')])}
        chosen={chosen}
        onChoose={setChosen}
      />
      <Button variant="solid" disabled={isMaking} onClick={() => make(chosen)}>
        {t('Create link')}
      </Button>
      <FailureNote code={failure} />
      <p role="status" className="sr-only">
        {made > 0 && t('Link created')}
      </p>
      <SharedLinks key={made} session={session} />
    </>
  )
}
