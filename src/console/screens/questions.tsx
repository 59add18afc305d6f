import type { ReactNode } from 'react'
import { hasRight } from '../../contract/staff/roles.ts'
import type { Topic, TopicCount, TopicList } from '../../contract/staff/questions.ts'
import { Button } from '../../web/ui/button.tsx'
import { call } from '../api.ts'
import { ActionError, Show } from '../parts.tsx'
import { topicAnswerAddress, topicWordingAddress } from './approved/approved-address.ts'
import { newDocumentAddress } from './knowledge/knowledge-address.ts'
import { TopicPassages } from './topic-passages.tsx'
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

const TRENDS = { rising: 'Asked more often lately', steady: 'Asked as often as before', falling: 'Asked less often lately' } as const

function Card({ topic, onChanged }: { topic: Topic; onChanged: () => Promise<void> }): ReactNode {
  const { session } = useStaff()
  const { run, isBusy, error } = useAction()
  const shown = [...topic.phrases, ...topic.words]
  const name = shown.slice(0, 3).join(', ')
  const more = shown.slice(3)
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
        {topic.trend && `${TRENDS[topic.trend]}: `}
        {topic.trend ? countOf(topic.lastWeek) : capitalised(countOf(topic.lastWeek))} in the last 7 days.
      </p>
      <TopicPassages topic={topic} />
      {hasRight(session.role, 'change-knowledge') && (
        <p className="links">
          <a href={topicAnswerAddress(topic)}>Draft an approved answer</a>
          <a href={newDocumentAddress(topic)}>Draft a passage</a>
          <a href={topicWordingAddress(topic)}>Add as wording</a>
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

function reasonsOf({ notCovered, ratedDown, rephrased }: Topic): string {
  const counts = [
    [notCovered, 'not covered'],
    [ratedDown, 'rated down'],
    [rephrased, 'asked again'],
  ] as const
  return counts.flatMap(([count, name]) => (count === 0 ? [] : `${countOf(count)} ${name}`)).join(', ')
}

const WORDS = { few: 'few', some: 'some', most: 'nearly all' } as const
const countOf = (count: TopicCount) => {
  if (typeof count === 'string') return WORDS[count]
  return count === 0 ? 'none' : NUMBER.format(count)
}
const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const languageName = (tag: string) => new Intl.DisplayNames(undefined, { type: 'language' }).of(tag) ?? tag
