import { type ReactNode, useState } from 'react'
import type { ManagedAgentView } from '../../../contract/staff/agents.ts'
import { t } from '../../../web/language/translate.ts'
import { Button } from '../../../web/ui/button.tsx'
import { call } from '../../api.ts'
import { Confirm, Time } from '../../parts.tsx'
import { confirmed } from '../../passkeys.ts'
import { useAction } from '../../use-call.ts'
import { joined } from '../../format.ts'

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
      <h2 id="history">{t('Versions')}</h2>
      {publications.length === 0 && (
        <p className="muted">{t('Published versions will be listed here, with who published them and when.')}</p>
      )}
      <ul className="cards">
        {publications.map(({ number, hash, restores, evaluation, by, at, text }) => (
          <li key={number}>
            <h3>{number === published ? t('Version {number}, published now', { number }) : t('Version {number}', { number })}</h3>
            <p className="muted">
              <bdi>{by}</bdi>
              {t(', ')}
              <Time at={at} />
              {t(', ')}
              {joined(hash.slice(0, 12), restores !== null && t('restores version {number}', { number: restores }))}
            </p>
            <p className="muted">
              {evaluation
                ? t('Evaluated: {count} of {total} cases right.', { count: evaluation.right, total: evaluation.total })
                : t('Published without an evaluation.')}
            </p>
            <details>
              <summary>{t('Text')}</summary>
              <pre dir="auto">{text}</pre>
            </details>
            {canChange && number !== published && (
              <Button
                look="outline"
                className="small"
                aria-label={t('Roll back to version {number}', { number })}
                onClick={() => setAsked(number)}
              >
                {t('Roll back')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {canChange && (
        <div className="actions">
          {published === null ? (
            <Button look="outline" onClick={() => setAsked('delete')}>
              {t('Delete this agent')}
            </Button>
          ) : (
            <Button look="outline" onClick={() => setAsked('withdraw')}>
              {t('Withdraw')}
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
      question: t('Withdraw this agent?'),
      explanation: t('Its chats continue with the first agent. Its versions are kept.'),
      action: 'Withdraw',
    }
  if (asked === 'delete')
    return {
      question: t('Delete this agent?'),
      explanation: t('Its draft and all its versions are deleted.'),
      action: t('Delete this agent'),
    }
  return {
    question: t('Roll back to version {number}?', { number: asked }),
    explanation: t('Its text is published again as a new version. The draft stays as it is.'),
    action: t('Roll back'),
  }
}
