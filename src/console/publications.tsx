import { type ReactNode, useState } from 'react'
import { t } from '../web/language/translate.ts'
import { Button } from '../web/ui/button.tsx'
import { call } from './api.ts'
import { joined } from './format.ts'
import { Confirm, Time } from './parts.tsx'
import { confirmed } from './passkeys.ts'
import { useAction } from './use-call.ts'

/** A published version of something that staff manage. */
interface Publication {
  number: number
  hash: string
  restores: number | null
  by: string
  at: string
}

interface PublicationsProps<P extends Publication> {
  /** Of the thing in the staff API. */
  path: string
  /** Address of the list that it is missing from once deleted. */
  list: string
  publications: readonly P[]
  /** Number of the version in force; `null` if none is. */
  published: number | null
  canChange: boolean
  reload: () => Promise<void>
  words: Readonly<{ withdrawQuestion: string; withdrawEffect: string; delete: string; deleteQuestion: string; rollBackEffect: string }>
  /** What a version was. */
  children: (publication: P) => ReactNode
}

/** The published versions of an agent or an approved answer, newest first, and ways back. */
export function Publications<P extends Publication>({
  path,
  list,
  publications,
  published,
  canChange,
  reload,
  words,
  children,
}: PublicationsProps<P>): ReactNode {
  const [asked, setAsked] = useState<'withdraw' | 'delete' | number | null>(null)
  const { run, isBusy, error } = useAction()
  const act = () =>
    run(async () => {
      if (asked === 'delete') {
        await confirmed(() => call('DELETE', path))
        location.hash = list
        return
      }
      await confirmed(() =>
        asked === 'withdraw' ? call('DELETE', `${path}/publication`) : call('POST', `${path}/roll-back`, { number: asked }),
      )
      setAsked(null)
      await reload()
    })
  const questionOf = (one: 'withdraw' | 'delete' | number) => {
    if (one === 'withdraw') return { question: words.withdrawQuestion, explanation: words.withdrawEffect, action: t('Withdraw') }
    if (one === 'delete')
      return { question: words.deleteQuestion, explanation: t('Its draft and all its versions are deleted.'), action: words.delete }
    return {
      question: t('Roll back to version {number}?', { number: one }),
      explanation: words.rollBackEffect,
      action: t('Roll back'),
    }
  }
  return (
    <section aria-labelledby="versions" className="agents">
      <h2 id="versions">{t('Versions')}</h2>
      {publications.length === 0 && (
        <p className="muted">{t('Published versions will be listed here, with who published them and when.')}</p>
      )}
      <ul className="cards">
        {publications.map((publication) => {
          const { number, hash, restores, by, at } = publication
          return (
            <li key={number}>
              <h3>{number === published ? t('Version {number}, published now', { number }) : t('Version {number}', { number })}</h3>
              <p className="muted">
                <bdi>{by}</bdi>
                {t(', ')}
                <Time at={at} />
                {t(', ')}
                {joined(hash.slice(0, 12), restores !== null && t('restores version {number}', { number: restores }))}
              </p>
              {children(publication)}
              {canChange && number !== published && (
                <Button
                  variant="outline"
                  className="small"
                  aria-label={t('Roll back to version {number}', { number })}
                  onClick={() => setAsked(number)}
                >
                  {t('Roll back')}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      {canChange && (
        <div className="actions">
          <Button variant="outline" onClick={() => setAsked(published === null ? 'delete' : 'withdraw')}>
            {published === null ? words.delete : t('Withdraw')}
          </Button>
        </div>
      )}
      {asked !== null && <Confirm {...questionOf(asked)} isBusy={isBusy} error={error} onConfirm={act} onClose={() => setAsked(null)} />}
    </section>
  )
}
