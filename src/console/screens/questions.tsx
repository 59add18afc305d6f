import type { ReactNode } from 'react'
import { hasRight } from '../../contract/staff/roles.ts'
import type { Topic, TopicList } from '../../contract/staff/questions.ts'
import { Button } from '../../web/ui/button.tsx'
import { call } from '../api.ts'
import { ActionError, Show } from '../parts.tsx'
import { topicAnswerAddress } from './approved/approved-address.ts'
import { searchTestAddress } from './search-test.tsx'
import { useStaff } from '../staff-context.ts'
import { useAction, useLoaded } from '../use-call.ts'

const NUMBER = new Intl.NumberFormat()

/** Topics of questions without an answer. */
export function Questions(): ReactNode {
  const { loaded, reload } = useLoaded<TopicList>('questions')
  return (
    <>
      <p>
        What visitors asked and got no answer to, an answer that they rated down, or had to ask again. A topic appears when five visitors
        share it, and shows only words that five of them used.
      </p>
      <Show loaded={loaded} reload={reload}>
        {({ topics, days, isComplete }) => (
          <>
            {topics.length === 0 && (
              <p className="notice">No topic of the last {days} days is shared by five visitors. Temporary chats are never read.</p>
            )}
            <ul className="cards">
              {topics.map((topic) => (
                <Card key={topic.id} topic={topic} onChanged={reload} />
              ))}
            </ul>
            {!isComplete && <p className="muted">There were very many such prompts; only the newest ones are counted.</p>}
          </>
        )}
      </Show>
    </>
  )
}

function Card({ topic, onChanged }: { topic: Topic; onChanged: () => Promise<void> }): ReactNode {
  const { session } = useStaff()
  const { run, isBusy, error } = useAction()
  const name = [...topic.phrases, ...topic.words].slice(0, 3).join(', ')
  const more = [...topic.phrases, ...topic.words].slice(3)
  const dismiss = () =>
    run(async () => {
      await call('POST', `questions/${topic.id}/dismissal`, {})
      await onChanged()
    })
  return (
    <li>
      <h2 dir="auto">{name}</h2>
      {more.length > 0 && (
        <p className="muted" dir="auto">
          {more.join(', ')}
        </p>
      )}
      <p>
        {NUMBER.format(topic.prompts)} prompts of {NUMBER.format(topic.visitors)} visitors: {reasonsOf(topic)}.
        {topic.languages.length > 0 && ` In ${topic.languages.map(languageName).join(', ')}.`}
      </p>
      <p>
        <a href={searchTestAddress(name.replace(/[,…]/g, ''))}>Search the knowledge for it</a>
      </p>
      {hasRight(session.role, 'change-knowledge') && (
        <p>
          <a href={topicAnswerAddress(topic)}>Draft an approved answer</a>
        </p>
      )}
      {hasRight(session.role, 'dismiss-questions') && (
        <Button look="outline" className="small" disabled={isBusy} onClick={dismiss} aria-label={`Dismiss: ${name}`}>
          Dismiss
        </Button>
      )}
      <ActionError message={error} />
    </li>
  )
}

function reasonsOf({ notCovered, ratedDown, rephrased, lastWeek }: Topic): string {
  const counts = [
    [notCovered, 'not covered'],
    [ratedDown, 'rated down'],
    [rephrased, 'asked again'],
    [lastWeek, 'in the last 7 days'],
  ] as const
  return counts.flatMap(([count, name]) => (count === 0 ? [] : `${count === null ? 'few' : NUMBER.format(count)} ${name}`)).join(', ')
}

const languageName = (tag: string) => new Intl.DisplayNames(undefined, { type: 'language' }).of(tag) ?? tag
