import type { ReactNode } from 'react'
import type { ApprovedAnswerList } from '../../../contract/staff/content/approved-answers.ts'
import { hasRight } from '../../../contract/staff/roles.ts'
import { type Columns, DataTable } from '../../parts/data-table.tsx'
import { Back, Loaded } from '../../parts/parts.tsx'
import { useStaff } from '../../staff-context.ts'
import { addedWordingAddress } from './approved-address.ts'
import { defineMessage, t } from '../../../ui/language/translate.ts'
import { joined } from '../../format.ts'

type Managed = ApprovedAnswerList['managed'][number]

/** Chooses the managed answer to which the words of a topic are added. */
export function ChooseAnswer({ words }: { words: readonly string[] }): ReactNode {
  const { session } = useStaff()
  if (!hasRight(session.role, 'change-knowledge')) return <p className="notice">{t('Your role does not allow this. Ask an owner.')}</p>
  return (
    <>
      <Back to="#/questions">{t('Questions')}</Back>
      <h2>{t('Add as wording')}</h2>
      <p className="notice">
        {t.with('Visitors of the topic wrote: {words}. Choose the answer that they should get. Nothing changes until you save it.', {
          words: <bdi>{joined(...words)}</bdi>,
        })}
      </p>
      <Loaded<ApprovedAnswerList> path="approved-answers">
        {({ managed }) =>
          managed.length === 0 ? (
            <p className="notice">{t('There are no approved answers in the console yet. Write one from the topic.')}</p>
          ) : (
            <section className="figures" aria-label={t('Approved answers')}>
              <Choice answers={managed} words={words} />
            </section>
          )
        }
      </Loaded>
    </>
  )
}

function Choice({ answers, words }: { answers: readonly Managed[]; words: readonly string[] }): ReactNode {
  const shared = (answer: Managed) => lowerWords(words.join(' ')).filter((word) => textOf(answer).includes(word)).length
  const sorted = answers.toSorted((one, other) => shared(other) - shared(one))
  return <DataTable name={t('Approved answers')} rows={sorted} columns={columnsWith(words)} keyOf={({ id }) => id} />
}

/** The question leads to its answer, with the words added. */
const columnsWith = (words: readonly string[]): Columns<Managed> => ({
  question: {
    name: defineMessage('Question'),
    value: ({ question, id }) => question || id,
    show: ({ question, id }) => <a href={addedWordingAddress(id, words)}>{question || id}</a>,
  },
  owner: { name: defineMessage('Owner'), value: ({ owner }) => owner },
  version: { name: defineMessage('Version'), value: ({ published }) => published },
})

const lowerWords = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean)
const textOf = ({ question, id, owner }: Managed) => [question, id, owner].join(' ').toLowerCase()
