import { type ReactNode, useState } from 'react'
import type { WebsiteAction, WebsiteActionDone, WebsiteView } from '../../../contract/staff/knowledge.ts'
import { Button } from '../../../web/ui/button.tsx'
import { call } from '../../api.ts'
import { ActionError, Confirm, Time } from '../../parts.tsx'
import { confirmed } from '../../passkeys.ts'
import { useAction } from '../../use-call.ts'

type Action = WebsiteAction['action']

const SNAPSHOT_STATES = { building: 'being read', complete: 'complete', quarantined: 'held back' } as const
const QUESTIONS = {
  accept: { explanation: 'All that was held back answers from then on, in every process.', label: 'Accept all' },
  'roll-back': { explanation: 'The pages before answer again. Later runs wait until you accept them.', label: 'Roll back' },
} as const

interface WebsitesProps {
  websites: readonly WebsiteView[]
  canChange: boolean
  onChanged(): Promise<void>
}

/** The websites of `sources.yaml`, with what their last run found. */
export function Websites({ websites, ...rest }: WebsitesProps): ReactNode {
  return (
    <section aria-labelledby="websites" className="figures">
      <h2 id="websites">Websites</h2>
      <ul className="cards">
        {websites.map((website) => (
          <Website key={website.id} website={website} {...rest} />
        ))}
      </ul>
    </section>
  )
}

function Website({ website, canChange, onChanged }: Omit<WebsitesProps, 'websites'> & { website: WebsiteView }): ReactNode {
  const { id, address, isRunning, isPinned, lastRun, waits, canRollBack, snapshots } = website
  const [asked, setAsked] = useState<keyof typeof QUESTIONS | null>(null)
  const [done, setDone] = useState('')
  const { run, isBusy, error } = useAction()
  const act = (action: Action) =>
    run(async () => {
      const { message } = await confirmed(() => call<WebsiteActionDone>('POST', `knowledge/websites/${id}/actions`, { action }))
      setAsked(null)
      setDone(message)
      await onChanged()
    })
  return (
    <li>
      <h3>{id}</h3>
      <p dir="ltr">{address ?? 'sources.yaml no longer names this website.'}</p>
      {isRunning && <p>It is being read now.</p>}
      {isPinned && <p>It was rolled back: later runs wait until you accept them.</p>}
      {lastRun ? (
        <p>
          Last run {lastRun.endedAt && <Time at={lastRun.endedAt} />}: {lastRun.summary}
        </p>
      ) : (
        <p className="muted">It has not been read to its end yet.</p>
      )}
      {lastRun && lastRun.notes.length > 0 && (
        <details>
          <summary>Pages to look at</summary>
          <ul className="examples">
            {lastRun.notes.map((note) => (
              <li key={note.address} dir="auto">
                {note.address}: {note.state}. {note.reason}
              </li>
            ))}
          </ul>
        </details>
      )}
      {snapshots.length > 0 && (
        <details>
          <summary>Snapshots</summary>
          <ul className="examples">
            {snapshots.map(({ number, state, isActive, pages, createdAt }) => (
              <li key={number}>
                {number}: {SNAPSHOT_STATES[state]}, {pages} pages, <Time at={createdAt} />
                {isActive && ' (answers)'}
              </li>
            ))}
          </ul>
        </details>
      )}
      <Held website={website} />
      {canChange && (
        <div className="actions">
          {address !== null && (
            <Button
              look="outline"
              className="small"
              disabled={isBusy || isRunning}
              onClick={() => act('sync')}
              aria-label={`Read now: ${id}`}
            >
              Read now
            </Button>
          )}
          {waits && (
            <Button look="outline" className="small" onClick={() => setAsked('accept')} aria-label={`Accept all: ${id}`}>
              Accept all
            </Button>
          )}
          {canRollBack && (
            <Button look="outline" className="small" onClick={() => setAsked('roll-back')} aria-label={`Roll back: ${id}`}>
              Roll back
            </Button>
          )}
        </div>
      )}
      <p className="good" role="status">
        {done}
      </p>
      {!asked && <ActionError message={error} />}
      {asked && (
        <Confirm
          question={`${QUESTIONS[asked].label}: ${id}?`}
          explanation={QUESTIONS[asked].explanation}
          action={QUESTIONS[asked].label}
          isBusy={isBusy}
          error={error}
          onConfirm={() => act(asked)}
          onClose={() => setAsked(null)}
        />
      )}
    </li>
  )
}

/** What was held back, with the way to decide page by page. */
function Held({ website: { id, waits, isPinned, holdsPages } }: { website: WebsiteView }): ReactNode {
  return (
    <>
      {waits && !isPinned && <p>Something was held back. The earlier pages answer until you accept it.</p>}
      {holdsPages && (
        <p>
          <a href={`#/knowledge/website/${encodeURIComponent(id)}`} aria-label={`Look at each held page: ${id}`}>
            Look at each held page
          </a>
        </p>
      )}
    </>
  )
}
