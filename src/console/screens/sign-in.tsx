import type { ReactNode } from 'react'
import { useState } from 'react'
import type { StaffSession } from '../../contract/staff/session.ts'
import { Button } from '../../web/ui/button.tsx'
import { messageOf } from '../api.ts'
import { ActionError } from '../parts.tsx'
import { signIn } from '../passkeys.ts'

/** Signs in with a passkey. */
export function SignIn({ onSignedIn }: { onSignedIn(session: StaffSession): void }): ReactNode {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState('')
  const start = () => {
    setBusy(true)
    setError('')
    signIn()
      .then(onSignedIn, (cause: unknown) => setError(messageOf(cause)))
      .finally(() => setBusy(false))
  }
  return (
    <main className="center">
      <h1>Console</h1>
      <p>For the people who answer for this assistant.</p>
      <Button look="solid" disabled={isBusy} onClick={start}>
        Sign in with a passkey
      </Button>
      <ActionError message={error} />
      <p className="muted">New here, or without your passkey? Ask an owner for a link.</p>
    </main>
  )
}
