import { type ReactNode, useState } from 'react'
import { plainName } from '../../contract/staff/person-name.ts'
import type { Invitation, StaffList } from '../../contract/staff/people.ts'
import { STAFF_ROLES, type StaffRole } from '../../contract/staff/roles.ts'
import { defineMessage, type MessageText, t } from '../../ui/language/translate.ts'
import { call } from '../api.ts'
import { ShownOnce } from '../parts/copy-button.tsx'
import { Cards, ConfirmButton, Field, Form, Loaded, option, SelectField, Submit, Time } from '../parts/parts.tsx'
import { ROLE_NAMES } from '../names.ts'
import { useStaff } from '../staff-context.ts'
import { Tokens } from './tokens.tsx'
import { Webhooks } from './webhooks.tsx'
import { useForm } from '../use-call.ts'

const ROLE_TEXTS: Readonly<Record<StaffRole, MessageText>> = {
  owner: defineMessage('Owner: everything, with staff and the audit log'),
  editor: defineMessage('Editor: changes knowledge, answers, agents and limits, and stops answers'),
  reviewer: defineMessage('Reviewer: reads figures, questions, feedback and reports'),
  viewer: defineMessage('Viewer: reads figures'),
}

export function Staff(): ReactNode {
  return (
    <>
      <Loaded<StaffList> path="staff">
        {({ staff }) => (
          <Cards name={t('Staff')} items={staff}>
            {(person) => <PersonCard key={person.id} person={person} />}
          </Cards>
        )}
      </Loaded>
      <InvitationForm />
      <Tokens />
      <Webhooks />
    </>
  )
}

type Person = StaffList['staff'][number]

function PersonCard({ person }: { person: Person }): ReactNode {
  const { session } = useStaff()
  return (
    <li>
      <h2 dir="auto">{person.id === session.id ? t('{name} (you)', { name: person.name }) : person.name}</h2>
      <p>{t(ROLE_TEXTS[person.role])}</p>
      <p className="muted">
        {t.with('Joined {time}', { time: <Time at={person.joinedAt} /> })}
        {t(', ')}
        {person.isFromProvider ? t('from your organisation') : t.plural(person.passkeys, '{count} passkey', '{count} passkeys')}
      </p>
      <ConfirmButton
        question={t('Remove {name}?', { name: person.name })}
        explanation={
          person.id === session.id
            ? t('You’ll be signed out at once.')
            : person.isFromProvider
              ? t('Their sessions end at once. They can sign in again until your organisation takes their role away.')
              : t('Their sessions end at once, and their passkeys stop working.')
        }
        action={t('Remove')}
        act={() => call('DELETE', `staff/${person.id}`)}
      />
    </li>
  )
}

function InvitationForm(): ReactNode {
  const [name, setName] = useState('')
  const [role, setRole] = useState<StaffRole>('editor')
  const [made, setMade] = useState<(Invitation & { name: string }) | null>(null)
  const person = plainName(name)
  const { submit, isBusy, error, mistakes } = useForm({ name: person === '' && t('Enter a name or an e-mail address.') }, async () => {
    const invitation = await call<Invitation>('POST', 'staff/invitations', { name: person, role, hours: 24 })
    setMade({ ...invitation, name: person })
    setName('')
  })
  return (
    <Form onSubmit={submit} name={t('Invite someone')}>
      <h2>{t('Invite someone')}</h2>
      <Field label={t('Name')} hint={t('A name or an e-mail address. Nothing is sent there.')} error={mistakes.name}>
        {(ids) => <input {...ids} dir="auto" maxLength={100} value={name} onChange={({ target }) => setName(target.value)} />}
      </Field>
      <SelectField label={t('Role')} hint={t(ROLE_TEXTS[role])} value={role} onChange={(value) => setRole(value as StaffRole)}>
        {STAFF_ROLES.map((one) => option(one, t(ROLE_NAMES[one])))}
      </SelectField>
      <Submit isDisabled={isBusy} error={error} text={t('Create a link')} />
      <ShownOnce text={made?.url} label={t('Copy the link')}>
        {made &&
          t.with('Send this link to {name}. It works once, until {time}, and is shown only now.', {
            name: <bdi>{made.name}</bdi>,
            time: <Time at={made.expiresAt} />,
          })}
      </ShownOnce>
    </Form>
  )
}
