import { type ReactNode, useState } from 'react'
import type { AuditPage } from '../../contract/staff/people.ts'
import { Button } from '../../web/ui/button.tsx'
import { call } from '../api.ts'
import { ActionError, Show, Time } from '../parts.tsx'
import { useAction, useLoaded } from '../use-call.ts'

interface Verdict {
  isIntact: boolean
  entries?: number
  brokenAt?: number
}

const ACTIONS: Readonly<Record<string, string>> = {
  'stop.start': 'stopped answers',
  'stop.end': 'resumed answers',
  'staff.invite': 'invited somebody',
  'staff.join': 'joined',
  'staff.sign-in': 'signed in',
  'staff.sign-out': 'signed out',
  'staff.remove': 'removed somebody',
  'staff.add-passkey': 'added a passkey',
  'staff.remove-passkey': 'removed a passkey',
}

/** Who did what, newest first. */
export function AuditLog(): ReactNode {
  const { loaded, reload } = useLoaded<AuditPage>('audit')
  return (
    <>
      <p>Everything that staff and operators do is recorded here. What an entry is about is a hash: no text of visitors is in the log.</p>
      <Check />
      <Show loaded={loaded} reload={reload}>
        {(page) => <Entries first={page} />}
      </Show>
    </>
  )
}

function Check(): ReactNode {
  const [verdict, setVerdict] = useState<Verdict | null>(null)
  const { run, isBusy, error } = useAction()
  return (
    <div className="check">
      <Button
        look="outline"
        className="small"
        disabled={isBusy}
        onClick={() => run(async () => setVerdict(await call<Verdict>('GET', 'audit/check')))}
      >
        Check the log
      </Button>
      <p role="status" className={verdict?.isIntact === false ? 'error' : 'good'}>
        {verdict && sentenceOf(verdict)}
      </p>
      <ActionError message={error} />
    </div>
  )
}

function sentenceOf({ isIntact, entries, brokenAt }: Verdict): string {
  if (isIntact) return `No entry was changed or removed: ${entries} in all.`
  return `Entry ${brokenAt} was changed or removed, or written with another installation key. Compare the log with a backup.`
}

function Entries({ first }: { first: AuditPage }): ReactNode {
  const [older, setOlder] = useState<AuditPage[]>([])
  const { run, isBusy, error } = useAction()
  const pages = [first, ...older]
  const before = pages.at(-1)?.before ?? null
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboards scroll it */}
      <div className="table" tabIndex={0} role="group" aria-label="Entries">
        <table>
          <thead>
            <tr>
              <th scope="col">No.</th>
              <th scope="col">When</th>
              <th scope="col">Who</th>
              <th scope="col">What</th>
            </tr>
          </thead>
          <tbody>
            {pages
              .flatMap(({ entries }) => entries)
              .map(({ number, at, actor, actorName, action }) => (
                <tr key={number}>
                  <td>{number}</td>
                  <td>
                    <Time at={at} />
                  </td>
                  <td dir="auto">
                    {actorName ?? (actor === 'operator' ? 'Somebody with a shell on the server' : 'Somebody who was removed')}
                  </td>
                  <td>{ACTIONS[action] ?? action}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
      {before !== null && (
        <Button
          look="outline"
          className="small"
          disabled={isBusy}
          onClick={() =>
            run(async () => {
              const page = await call<AuditPage>('GET', `audit?before=${before}`)
              setOlder((known) => [...known, page])
            })
          }
        >
          Show older entries
        </Button>
      )}
      <ActionError message={error} />
    </>
  )
}
