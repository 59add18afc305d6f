import { type ReactNode, useState } from 'react'
import type { ManagedAgentView } from '../../../contract/staff/agents.ts'
import { Button } from '../../../web/ui/button.tsx'
import { call } from '../../api.ts'
import { Confirm, Time } from '../../parts.tsx'
import { confirmed } from '../../passkeys.ts'
import { useAction } from '../../use-call.ts'

interface HistoryProps {
  view: ManagedAgentView
  canChange: boolean
  reload: () => Promise<void>
}

/** The published versions of an agent, newest first. */
export function History({ view, canChange, reload }: HistoryProps): ReactNode {
  const { id, publications, published } = view
  const [asked, setAsked] = useState<'withdraw' | 'delete' | number | null>(null)
  const { run, isBusy, error } = useAction()
  const act = () =>
    run(async () => {
      const path = `agents/${id}`
      if (asked === 'delete') {
        await confirmed(() => call('DELETE', path))
        location.hash = '#/agents'
        return
      }
      await confirmed(() =>
        asked === 'withdraw' ? call('DELETE', `${path}/publication`) : call('POST', `${path}/roll-back`, { number: asked }),
      )
      setAsked(null)
      await reload()
    })
  return (
    <section aria-labelledby="history" className="agents">
      <h2 id="history">Versions</h2>
      {publications.length === 0 && <p className="muted">Published versions will be listed here, with who published them and when.</p>}
      <ul className="cards">
        {publications.map(({ number, hash, restores, evaluation, by, at, text }) => (
          <li key={number}>
            <h3>
              Version {number}
              {number === published && ', published now'}
            </h3>
            <p className="muted">
              {by}, <Time at={at} />, {hash.slice(0, 12)}
              {restores !== null && `, restores version ${restores}`}
            </p>
            <p className="muted">
              {evaluation ? `Evaluated: ${evaluation.right} of ${evaluation.total} cases right.` : 'Published without an evaluation.'}
            </p>
            <details>
              <summary>Text</summary>
              <pre dir="auto">{text}</pre>
            </details>
            {canChange && number !== published && (
              <Button look="outline" className="small" aria-label={`Roll back to version ${number}`} onClick={() => setAsked(number)}>
                Roll back
              </Button>
            )}
          </li>
        ))}
      </ul>
      {canChange && (
        <div className="actions">
          {published === null ? (
            <Button look="outline" onClick={() => setAsked('delete')}>
              Delete this agent
            </Button>
          ) : (
            <Button look="outline" onClick={() => setAsked('withdraw')}>
              Withdraw
            </Button>
          )}
        </div>
      )}
      {asked !== null && <Confirm {...questionOf(asked)} isBusy={isBusy} error={error} onConfirm={act} onClose={() => setAsked(null)} />}
    </section>
  )
}

function questionOf(asked: 'withdraw' | 'delete' | number): { question: string; explanation: string; action: string } {
  if (asked === 'withdraw')
    return {
      question: 'Withdraw this agent?',
      explanation: 'Its chats continue with the first agent. Its versions are kept.',
      action: 'Withdraw',
    }
  if (asked === 'delete')
    return { question: 'Delete this agent?', explanation: 'Its draft and all its versions are deleted.', action: 'Delete this agent' }
  return {
    question: `Roll back to version ${asked}?`,
    explanation: 'Its text is published again as a new version. The draft stays as it is.',
    action: 'Roll back',
  }
}
