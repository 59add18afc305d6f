import { type ReactNode, useState } from 'react'
import { FIRST_OWNER_NAME, plainName } from '../../contract/staff/person-name.ts'
import type { PasskeyList, StaffSession } from '../../contract/staff/session.ts'
import { t } from '../../ui/language/translate.ts'
import { call } from '../api.ts'
import { Cards, ConfirmButton, Field, Form, Loaded, Submit, Time } from '../parts/parts.tsx'
import { useStaff } from '../staff-context.ts'
import { setSession, useForm } from '../use-call.ts'
import { PasskeyForm, PasskeyReminder } from './passkey-form.tsx'
import { ROLE_NAMES } from '../names.ts'

export function Account(): ReactNode {
  const { session } = useStaff()
  return (
    <>
      <p>
        {t.with('You are {name}, {role}. This session ends on {time}.', {
          name: <strong dir="auto">{session.name}</strong>,
          role: t(ROLE_NAMES[session.role]),
          time: <Time at={session.expiresAt} />,
        })}
      </p>
      <PasskeyReminder />
      {session.isFromProvider ? (
        <p>{t('Your organisation says who you are and which role you have. A change there applies when you sign in again.')}</p>
      ) : (
        <Passkeys />
      )}
    </>
  )
}

export function NameForm({ onSaved }: { onSaved: (session: StaffSession) => void }): ReactNode {
  const { session } = useStaff()
  const [name, setName] = useState(session.name === FIRST_OWNER_NAME ? '' : session.name)
  const plain = plainName(name)
  const { submit, isBusy, error, mistakes } = useForm({ name: plain === '' && t('Enter a name.') }, async () =>
    onSaved(await call<StaffSession>('POST', 'session/name', { name: plain })),
  )
  return (
    <Form onSubmit={submit} name={t('Your name')}>
      <Field label={t('Your name')} hint={t('Colleagues see it beside what you change.')} error={mistakes.name}>
        {(ids) => (
          <input {...ids} dir="auto" autoComplete="name" maxLength={100} value={name} onChange={({ target }) => setName(target.value)} />
        )}
      </Field>
      <Submit variant="outline" isDisabled={isBusy} error={error} text={t('Save')} />
    </Form>
  )
}

function Passkeys(): ReactNode {
  return (
    <>
      <NameForm onSaved={setSession} />
      <h2>{t('Passkeys')}</h2>
      <Loaded<PasskeyList> path="passkeys">
        {({ passkeys }) => (
          <Cards items={passkeys}>{(passkey) => <PasskeyCard key={passkey.id} passkey={passkey} isLast={passkeys.length === 1} />}</Cards>
        )}
      </Loaded>
      <PasskeyForm />
    </>
  )
}

function PasskeyCard({ passkey, isLast }: { passkey: PasskeyList['passkeys'][number]; isLast: boolean }): ReactNode {
  return (
    <li>
      <h3 dir="auto">{passkey.name}</h3>
      <p className="muted">
        {passkey.usedAt === null
          ? t.with('Added {time}, not used yet', { time: <Time at={passkey.createdAt} /> })
          : t.with('Added {time}, last used {lastTime}', {
              time: <Time at={passkey.createdAt} />,
              lastTime: <Time at={passkey.usedAt} />,
            })}
      </p>
      <ConfirmButton
        question={t('Remove “{name}”?', { name: passkey.name })}
        explanation={
          isLast ? t('It is your last passkey: without one, only a new link lets you in again.') : t('It stops working at once.')
        }
        action={t('Remove')}
        act={() => call('DELETE', `passkeys/${passkey.id}`)}
      />
    </li>
  )
}
