import { type ReactNode, useState } from 'react'
import { t } from '../../ui/language/translate.ts'
import { Button } from '../../ui/button.tsx'
import { call } from '../api.ts'
import { joined } from '../format.ts'
import { Confirm, Time } from '../parts/parts.tsx'
import { confirmed } from '../passkeys.ts'
import { useAction } from '../use-call.ts'

export interface VersionWords {
  delete: string
  deleteQuestion: string
  deleteEffect: string
  rollBackEffect: string
}

/** Calls of the staff API that change what is in force. `withdraw` is missing where deleting withdraws. */
export interface VersionCalls {
  rollBack: (number: number) => Promise<unknown>
  withdraw?: { run: () => Promise<unknown>; question: string; effect: string }
  delete: () => Promise<unknown>
}

interface VersionsProps<Version extends { number: number }> {
  calls: VersionCalls
  /** Address of the list that it is missing from once deleted. */
  list: string
  /** Newest first. */
  versions: readonly Version[]
  /** Number of the version in force; `null` if none is. */
  published: number | null
  canChange: boolean
  words: VersionWords
  children: (version: Version) => ReactNode
}

/** The versions of something that staff manage, and ways back. */
export function Versions<Version extends { number: number }>(props: VersionsProps<Version>): ReactNode {
  const { calls, list, versions, published, canChange, words, children } = props
  const [asked, setAsked] = useState<'withdraw' | 'delete' | number | null>(null)
  const { run, isBusy, error } = useAction()
  const { withdraw } = calls
  const act = () =>
    run(async () => {
      await confirmed(async () => {
        if (typeof asked === 'number') await calls.rollBack(asked)
        else await (asked === 'withdraw' ? withdraw?.run() : calls.delete())
      })
      if (asked === 'delete') location.hash = list
      else {
        setAsked(null)
      }
    })
  const questionOf = (one: 'withdraw' | 'delete' | number) => {
    if (one === 'withdraw') return { question: withdraw?.question ?? '', explanation: withdraw?.effect ?? '', action: t('Withdraw') }
    if (one === 'delete') return { question: words.deleteQuestion, explanation: words.deleteEffect, action: words.delete }
    return { question: t('Roll back to version {number}?', { number: one }), explanation: words.rollBackEffect, action: t('Roll back') }
  }
  const isWithdrawable = withdraw !== undefined && published !== null
  return (
    <section aria-labelledby="versions" className="agents">
      <h2 id="versions">{t('Versions')}</h2>
      {versions.length === 0 && <p className="muted">{t('Published versions will be listed here, with who published them and when.')}</p>}
      <ul className="cards">
        {versions.map((version) => {
          const { number } = version
          return (
            <li key={number}>
              <h3>{number === published ? t('Version {number}, published now', { number }) : t('Version {number}', { number })}</h3>
              {children(version)}
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
          <Button variant="outline" onClick={() => setAsked(isWithdrawable ? 'withdraw' : 'delete')}>
            {isWithdrawable ? t('Withdraw') : words.delete}
          </Button>
        </div>
      )}
      {asked !== null && <Confirm {...questionOf(asked)} isBusy={isBusy} error={error} onConfirm={act} onClose={() => setAsked(null)} />}
    </section>
  )
}

/** Calls of a text that is drafted and published. */
export function textCalls(path: string, words: { withdrawQuestion: string; withdrawEffect: string }): VersionCalls {
  return {
    rollBack: (number) => call('POST', `${path}/roll-back`, { number }),
    withdraw: { run: () => call('DELETE', `${path}/publication`), question: words.withdrawQuestion, effect: words.withdrawEffect },
    delete: () => call('DELETE', path),
  }
}

interface Publication {
  hash: string
  restores: number | null
  by: string
  at: string
}

/** Who published a version, and when. */
export function PublicationFacts({ publication: { hash, restores, by, at } }: { publication: Publication }): ReactNode {
  return (
    <p className="muted">
      <bdi>{by}</bdi>
      {t(', ')}
      <Time at={at} />
      {t(', ')}
      {joined(hash.slice(0, 12), restores !== null && t('restores version {number}', { number: restores }))}
    </p>
  )
}
