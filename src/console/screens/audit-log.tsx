import { type ReactNode, useState } from 'react'
import type { AuditPage } from '../../contract/staff/people.ts'
import { Button } from '../../web/ui/button.tsx'
import { call } from '../api.ts'
import { ActionError, Show, Time } from '../parts.tsx'
import { useAction, useLoaded } from '../use-call.ts'
import { useHash } from '../use-hash.ts'

interface Verdict {
  isIntact: boolean
  entries?: number
  brokenAt?: number
}

const ACTIONS: Readonly<Record<string, string>> = {
  'document.upload': 'uploaded a document',
  'document.replace': 'replaced a document',
  'document.edit': 'changed what is said about a document',
  'document.restore': 'restored an earlier version of a document',
  'document.delete': 'deleted a document',
  'website.sync': 'had a website read',
  'website.accept': 'accepted pages of a website',
  'website.roll-back': 'rolled a website back',
  'agent.create': 'created an agent',
  'agent.save-draft': 'saved an agent’s draft',
  'agent.save-cases': 'saved an agent’s cases',
  'agent.evaluate': 'evaluated an agent’s draft',
  'agent.publish': 'published an agent',
  'agent.publish-anyway': 'published an agent without a passed evaluation',
  'agent.roll-back': 'rolled back an agent',
  'agent.withdraw': 'withdrew an agent',
  'agent.delete': 'deleted an agent',
  'approved.create': 'created an approved answer',
  'approved.save-draft': 'saved an approved answer’s draft',
  'approved.publish': 'published an approved answer',
  'approved.roll-back': 'rolled back an approved answer',
  'approved.withdraw': 'withdrew an approved answer',
  'approved.delete': 'deleted an approved answer',
  'stop.start': 'stopped answers',
  'stop.end': 'resumed answers',
  'banner.show': 'showed a banner',
  'banner.remove': 'removed the banner',
  'limit.change': 'changed a limit',
  'limit.restore': 'took back a limit’s change',
  'network.block': 'blocked a network',
  'network.unblock': 'unblocked a network',
  'topic.dismiss': 'dismissed a topic',
  'report.read': 'read a report',
  'report.decide': 'decided about a report',
  'correction.write': 'corrected an answer',
  'correction.remove': 'removed a correction',
  'token.create': 'created a token',
  'token.revoke': 'revoked a token',
  'staff.invite': 'invited somebody',
  'staff.join': 'joined',
  'staff.sign-in': 'signed in',
  'staff.sign-out': 'signed out',
  'staff.end-session': 'ended a session',
  'staff.remove': 'removed somebody',
  'staff.add-passkey': 'added a passkey',
  'staff.remove-passkey': 'removed a passkey',
}

const AREAS = ['all', ...new Set(Object.keys(ACTIONS).map((action) => action.split('.', 1)[0] ?? ''))]

/** Who did what, newest first. The address has the filters, so a link shows the same. */
export function AuditLog(): ReactNode {
  const [, area = 'all', actor = 'all'] = useHash().split('/')
  const filters = new URLSearchParams({ ...(area !== 'all' && { area }), ...(actor !== 'all' && { actor }) }).toString()
  return (
    <>
      <p>Everything that staff and operators do is recorded here. What an entry is about is a hash: no text of visitors is in the log.</p>
      <Check />
      <div className="ranges" role="group" aria-label="Actions">
        {AREAS.map((one) => (
          <a key={one} href={`#/audit/${one}/${actor}`} aria-current={one === area ? 'true' : undefined}>
            {one.charAt(0).toUpperCase() + one.slice(1)}
          </a>
        ))}
        {actor !== 'all' && <a href={`#/audit/${area}`}>Everybody again</a>}
      </div>
      <Filtered key={filters} area={area} filters={filters} />
    </>
  )
}

function Filtered({ area, filters }: { area: string; filters: string }): ReactNode {
  const { loaded, reload } = useLoaded<AuditPage>(`audit?${filters}`)
  return (
    <Show loaded={loaded} reload={reload}>
      {(page) =>
        page.entries.length === 0 ? <p className="muted">No entries.</p> : <Entries first={page} area={area} filters={filters} />
      }
    </Show>
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

function Entries({ first, area, filters }: { first: AuditPage; area: string; filters: string }): ReactNode {
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
                    <a href={`#/audit/${area}/${actor}`}>
                      {actorName ?? (actor === 'operator' ? 'Somebody with a shell on the server' : 'Somebody who was removed')}
                    </a>
                  </td>
                  <td>{ACTIONS[action] ?? action}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
      <a href={`/api/staff/v1/audit.csv?${filters}`} download>
        Download CSV
      </a>
      {before !== null && (
        <Button
          look="outline"
          className="small"
          disabled={isBusy}
          onClick={() =>
            run(async () => {
              const page = await call<AuditPage>('GET', `audit?${filters}&before=${before}`)
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
