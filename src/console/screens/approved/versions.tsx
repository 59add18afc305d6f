import { type ReactNode, useState } from 'react'
import type { ManagedApprovedAnswer } from '../../../contract/staff/approved-answers.ts'
import { t } from '../../../web/language/translate.ts'
import { Button } from '../../../web/ui/button.tsx'
import { call } from '../../api.ts'
import { Confirm, Time } from '../../parts.tsx'
import { confirmed } from '../../passkeys.ts'
import { useAction } from '../../use-call.ts'
import { textOfDraft } from './approved-draft.ts'
import { joined } from '../../format.ts'

interface VersionsProps {
  view: ManagedApprovedAnswer
  canChange: boolean
  reload: () => Promise<void>
}

/** What was published, newest first, and ways back. */
export function Versions({ view: { id, publications, published }, canChange, reload }: VersionsProps): ReactNode {
  const [asked, setAsked] = useState<'withdraw' | 'delete' | number | null>(null)
  const { run, isBusy, error } = useAction()
  const path = `approved-answers/${id}`
  const act = () =>
    run(async () => {
      if (asked === 'delete') {
        await confirmed(() => call('DELETE', path))
        location.hash = '#/approved'
        return
      }
      await confirmed(() =>
        asked === 'withdraw' ? call('DELETE', `${path}/publication`) : call('POST', `${path}/roll-back`, { number: asked }),
      )
      setAsked(null)
      await reload()
    })
  return (
    <section aria-labelledby="versions" className="agents">
      <h2 id="versions">{t('Versions')}</h2>
      {publications.length === 0 && (
        <p className="muted">{t('Published versions will be listed here, with who published them and when.')}</p>
      )}
      <ul className="cards">
        {publications.map(({ number, hash, restores, by, at, content }) => (
          <li key={number}>
            <h3>{number === published ? t('Version {number}, published now', { number }) : t('Version {number}', { number })}</h3>
            <p className="muted">
              <bdi>{by}</bdi>
              {t(', ')}
              <Time at={at} />
              {t(', ')}
              {joined(hash.slice(0, 12), restores !== null && t('restores version {number}', { number: restores }))}
            </p>
            <details>
              <summary>{t('Content')}</summary>
              <pre dir="auto">{textOfDraft(content)}</pre>
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
          <Button look="outline" onClick={() => setAsked(published === null ? 'delete' : 'withdraw')}>
            {published === null ? t('Delete this answer') : t('Withdraw')}
          </Button>
        </div>
      )}
      {asked !== null && <Confirm {...questionOf(asked)} isBusy={isBusy} error={error} onConfirm={act} onClose={() => setAsked(null)} />}
    </section>
  )
}

function questionOf(asked: 'withdraw' | 'delete' | number): { question: string; explanation: string; action: string } {
  if (asked === 'withdraw')
    return {
      question: t('Withdraw this answer?'),
      explanation: t('Its question is answered as any other. Its versions are kept.'),
      action: 'Withdraw',
    }
  if (asked === 'delete')
    return {
      question: t('Delete this answer?'),
      explanation: t('Its draft and all its versions are deleted.'),
      action: t('Delete this answer'),
    }
  return {
    question: t('Roll back to version {number}?', { number: asked }),
    explanation: t('It is published again as a new version. The draft stays as it is.'),
    action: t('Roll back'),
  }
}
