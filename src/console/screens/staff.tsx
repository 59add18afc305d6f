import { type ReactNode, type SyntheticEvent, useState } from 'react'
import type { Invitation, StaffList } from '../../contract/staff/people.ts'
import { STAFF_ROLES, type StaffRole } from '../../contract/staff/roles.ts'
import { Button } from '../../web/ui/button.tsx'
import { call } from '../api.ts'
import { CopyButton } from '../copy-button.tsx'
import { ActionError, Confirm, Field, Show, Time } from '../parts.tsx'
import { confirmed } from '../passkeys.ts'
import { useStaff } from '../staff-context.ts'
import { Sessions } from './sessions.tsx'
import { Tokens } from './tokens.tsx'
import { useAction, useLoaded } from '../use-call.ts'

const ROLE_TEXTS: Readonly<Record<StaffRole, string>> = {
  owner: 'Owner: everything, with staff and the audit log',
  editor: 'Editor: stops answers, handles unanswered questions',
  reviewer: 'Reviewer: reads figures and unanswered questions',
  viewer: 'Viewer: reads figures',
}

/** People on the staff, and the form that invites more. */
export function Staff(): ReactNode {
  const { loaded, reload } = useLoaded<StaffList>('staff')
  return (
    <>
      <Show loaded={loaded} reload={reload}>
        {({ staff }) => (
          <ul className="cards">
            {staff.map((person) => (
              <Person key={person.id} person={person} onRemoved={reload} />
            ))}
          </ul>
        )}
      </Show>
      <InvitationForm />
      <Tokens />
    </>
  )
}

function Person({ person, onRemoved }: { person: StaffList['staff'][number]; onRemoved: () => Promise<void> }): ReactNode {
  const { session } = useStaff()
  const [isAsking, setAsking] = useState(false)
  const [isShowing, setShowing] = useState(false)
  const { run, isBusy, error } = useAction()
  const remove = () =>
    run(async () => {
      await confirmed(() => call('DELETE', `staff/${person.id}`))
      setAsking(false)
      await onRemoved()
    })
  return (
    <li>
      <h2 dir="auto">
        {person.name}
        {person.id === session.id && ' (you)'}
      </h2>
      <p>{ROLE_TEXTS[person.role]}</p>
      <p className="muted">
        Joined <Time at={person.joinedAt} />, {person.isFromProvider ? 'from your organisation' : counted(person.passkeys, 'passkey')},{' '}
        {counted(person.sessions, 'session')}
      </p>
      <Button look="outline" className="small" aria-expanded={isShowing} onClick={() => setShowing(!isShowing)}>
        Sessions
      </Button>
      <Button look="outline" className="small" onClick={() => setAsking(true)}>
        Remove
      </Button>
      {isShowing && <Sessions path={`staff/${person.id}/sessions`} name="Open sessions" onEnded={onRemoved} />}
      {isAsking && (
        <Confirm
          question={`Remove ${person.name}?`}
          explanation={
            person.isFromProvider
              ? 'Their sessions end at once. They can sign in again until your organisation takes their role away.'
              : 'Their sessions end at once, and their passkeys stop working.'
          }
          action="Remove"
          isBusy={isBusy}
          error={error}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        />
      )}
    </li>
  )
}

function InvitationForm(): ReactNode {
  const [name, setName] = useState('')
  const [role, setRole] = useState<StaffRole>('editor')
  const [mistake, setMistake] = useState('')
  const [made, setMade] = useState<(Invitation & { name: string }) | null>(null)
  const { run, isBusy, error } = useAction()
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const person = name.trim()
    setMistake(person === '' ? 'Enter a name or an e-mail address.' : '')
    if (person === '') return
    run(async () => {
      setMade({
        ...(await confirmed(() => call<Invitation>('POST', 'staff/invitations', { name: person, role, hours: 24 }))),
        name: person,
      })
      setName('')
    })
  }
  return (
    <form onSubmit={submit} noValidate aria-label="Invite somebody">
      <h2>Invite somebody</h2>
      <Field label="Name" hint="A name or an e-mail address. Nothing is sent there." error={mistake}>
        {(ids) => <input {...ids} dir="auto" maxLength={100} value={name} onChange={({ target }) => setName(target.value)} />}
      </Field>
      <Field label="Role">
        {(ids) => (
          <select {...ids} value={role} onChange={({ target }) => setRole(target.value as StaffRole)}>
            {STAFF_ROLES.map((one) => (
              <option key={one} value={one}>
                {ROLE_TEXTS[one]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Button look="solid" type="submit" disabled={isBusy}>
        Create a link
      </Button>
      <ActionError message={error} />
      <div aria-live="polite">
        {made && (
          <div className="invitation">
            <p>
              Send this link to {made.name}. It works once, until <Time at={made.expiresAt} />, and is shown only now.
            </p>
            <code>{made.url}</code>
            <CopyButton text={made.url} label="Copy the link" />
          </div>
        )}
      </div>
    </form>
  )
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
