import { type ReactNode, useState } from 'react'
import { t } from '../../ui/language/translate.ts'
import { Field, Form, Submit } from '../parts/parts.tsx'
import { addPasskey } from '../passkeys.ts'
import { useStaff } from '../staff-context.ts'
import { useForm } from '../use-call.ts'

/** Such as “Linux”; empty if the browser doesn’t say. */
const deviceName = () => /Android|iPhone|iPad|Mac|Windows|CrOS|Linux/.exec(navigator.userAgent)?.[0] ?? ''

/** Leads who would be locked out by the end of the session to a passkey. */
export function PasskeyReminder(): ReactNode {
  const { session } = useStaff()
  if (session.hasPasskey || session.isFromProvider) return null
  const sentence = t('Add a passkey, so that you can come back when this session ends. Your link works only once.')
  return (
    <p className="notice" role="status">
      <a href="#/account">{sentence}</a>
    </p>
  )
}

/** Adds a passkey. The name of the device is that of its system until somebody types another one. */
export function PasskeyForm({ onAdded }: { onAdded?: () => void }): ReactNode {
  const [name, setName] = useState(deviceName)
  const { submit, isBusy, error, mistakes } = useForm({ name: name.trim() === '' && t('Enter a name.') }, async () => {
    await addPasskey(name.trim())
    setName(deviceName())
    onAdded?.()
  })
  return (
    <Form onSubmit={submit} name={t('Add a passkey')}>
      <Field
        label={t('Name of the device')}
        hint={t('Such as “Work laptop”, so that you know later which one it is.')}
        error={mistakes.name}
      >
        {(ids) => <input {...ids} dir="auto" maxLength={60} value={name} onChange={({ target }) => setName(target.value)} />}
      </Field>
      <Submit isDisabled={isBusy} error={error} text={t('Add a passkey')} />
    </Form>
  )
}
