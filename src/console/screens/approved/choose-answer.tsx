import { type ReactNode, useState } from 'react'
import type { ApprovedAnswerList } from '../../../contract/staff/content/approved-answers.ts'
import { hasRight } from '../../../contract/staff/roles.ts'
import { Field, Show } from '../../parts/parts.tsx'
import { useStaff } from '../../staff-context.ts'
import { useLoaded } from '../../use-call.ts'
import { addedWordingAddress } from './approved-address.ts'
import { t } from '../../../ui/language/translate.ts'
import { joined } from '../../format.ts'

type Managed = ApprovedAnswerList['managed'][number]

/** Chooses the managed answer to which the words of a topic are added. */
export function ChooseAnswer({ words }: { words: readonly string[] }): ReactNode {
  const { session } = useStaff()
  const { loaded, reload } = useLoaded<ApprovedAnswerList>('approved-answers')
  if (!hasRight(session.role, 'change-knowledge')) return <p className="notice">{t('Your role does not allow this. Ask an owner.')}</p>
  return (
    <>
      <p>
        <a href="#/questions">{t('All unanswered questions')}</a>
      </p>
      <h2>{t('Add as wording')}</h2>
      <p className="notice">
        {t.with('Visitors of the topic wrote: {words}. Choose the answer that they should get. Nothing changes until you save it.', {
          words: <bdi>{joined(...words)}</bdi>,
        })}
      </p>
      <Show loaded={loaded} reload={reload}>
        {({ managed }) =>
          managed.length === 0 ? (
            <p className="notice">
              {t('There are no managed answers yet. Draft an approved answer from the topic, or copy one of a file.')}
            </p>
          ) : (
            <Choice answers={managed} words={words} />
          )
        }
      </Show>
    </>
  )
}

function Choice({ answers, words }: { answers: readonly Managed[]; words: readonly string[] }): ReactNode {
  const [filter, setFilter] = useState('')
  const shown = answers.filter((answer) => lowerWords(filter).every((word) => textOf(answer).includes(word)))
  const shared = (answer: Managed) => lowerWords(words.join(' ')).filter((word) => textOf(answer).includes(word)).length
  const sorted = shown.toSorted((one, other) => shared(other) - shared(one))
  return (
    <>
      <Field label={t('Filter')} hint={t('Words of the question, the id or the owner.')}>
        {(ids) => <input {...ids} type="search" dir="auto" value={filter} onChange={({ target }) => setFilter(target.value)} />}
      </Field>
      <p className="muted" aria-live="polite">
        {t('{count} of {total}', { count: sorted.length, total: answers.length })}
      </p>
      <ul className="cards">
        {sorted.map(({ id, question, owner, published }) => (
          <li key={id}>
            <h3 dir="auto">
              <a href={addedWordingAddress(id, words)}>{question || id}</a>
            </h3>
            <p className="muted" dir="auto">
              {joined(id, owner, published === null ? t('not published') : t('version {number}', { number: published }))}
            </p>
          </li>
        ))}
      </ul>
    </>
  )
}

const lowerWords = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean)
const textOf = ({ question, id, owner }: Managed) => [question, id, owner].join(' ').toLowerCase()
