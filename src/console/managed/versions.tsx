import type { ReactNode } from 'react'
import type { Publication as AgentPublication } from '../../contract/staff/content/agents.ts'
import { t } from '../../ui/language/translate.ts'
import { call } from '../api.ts'
import { joined } from '../format.ts'
import { Cards, ConfirmButton, Section, Time } from '../parts/parts.tsx'

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
  published: number | null
  canChange: boolean
  words: Record<'delete' | 'deleteQuestion' | 'deleteEffect' | 'rollBackEffect', string>
  children: (version: Version) => ReactNode
}

export function Versions<Version extends { number: number }>(props: VersionsProps<Version>): ReactNode {
  const { calls, list, versions, published, canChange, words, children } = props
  const withdraw = published === null ? undefined : calls.withdraw
  return (
    <Section name={t('Versions')} className="agents">
      <Cards
        items={versions}
        empty={<p className="muted">{t('Published versions will be listed here, with who published them and when.')}</p>}
      >
        {(version) => {
          const { number } = version
          return (
            <li key={number}>
              <h3>{number === published ? t('Version {number}, published now', { number }) : t('Version {number}', { number })}</h3>
              {children(version)}
              {canChange && number !== published && (
                <ConfirmButton
                  label={t('Roll back to version {number}', { number })}
                  question={t('Roll back to version {number}?', { number })}
                  explanation={words.rollBackEffect}
                  action={t('Roll back')}
                  act={() => calls.rollBack(number)}
                />
              )}
            </li>
          )
        }}
      </Cards>
      {canChange && withdraw && (
        <ConfirmButton question={withdraw.question} explanation={withdraw.effect} action={t('Withdraw')} act={withdraw.run} />
      )}
      {canChange && !withdraw && (
        <ConfirmButton
          question={words.deleteQuestion}
          explanation={words.deleteEffect}
          action={words.delete}
          act={() => calls.delete().then(() => (location.hash = list))}
        />
      )}
    </Section>
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

type Publication = Pick<AgentPublication, 'hash' | 'restores' | 'by' | 'at'>

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
