import { type ReactNode, useState } from 'react'
import type { FailureCode } from '../../api/failure.ts'
import { signOutOtherDevices } from '../../api/rights-calls.ts'
import { useTranslate } from '../../language/translate.ts'
import { showMyData } from '../../state/my-data.ts'
import { Button } from '../../ui/button.tsx'
import { dataFailureSentence } from './failure-sentences.ts'

interface OtherDevicesProps {
  /** Number of other devices with access to the same chats. */
  count: number
  onChanged(): void
}

/** Adds another device, or signs out all others. */
export function OtherDevices({ count, onChanged }: OtherDevicesProps): ReactNode {
  const t = useTranslate()
  const [failure, setFailure] = useState<FailureCode | null>(null)
  const signOut = async () => {
    const outcome = await signOutOtherDevices()
    setFailure(outcome.ok ? null : outcome.code)
    onChanged()
  }
  return (
    <section>
      <h3>{t('Another device')}</h3>
      <p>
        {count === 0
          ? t('Use the same chats on your phone or another computer, without an account.')
          : t.plural(count, 'Your chats are also open on one other device.', 'Your chats are also open on {count} other devices.')}
      </p>
      <div className="row">
        <Button variant="outline" onClick={() => showMyData({ kind: 'give-code' })}>
          {t('Show a code')}
        </Button>
        {count > 0 && (
          <Button
            variant="outline"
            onClick={() => {
              signOut().catch(console.error)
            }}
          >
            {t('Sign out other devices')}
          </Button>
        )}
      </div>
      {failure && (
        <p role="alert" className="bad">
          {dataFailureSentence(failure)}
        </p>
      )}
    </section>
  )
}
