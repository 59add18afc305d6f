import { type ReactNode, useState } from 'react'
import type { Topic, TopicCount, TopicList } from '../../contract/staff/questions.ts'
import type { FailedTrials } from '../../contract/staff/content/trial-answers.ts'
import { ActionButton, Cards, Loaded, Section, SmallButton, Time } from '../parts/parts.tsx'
import { useLoaded } from '../use-call.ts'
import { ForAgent, SearchedPassages } from './ask/tested-passages.tsx'
import { t } from '../../ui/language/translate.ts'
import { call } from '../api.ts'
import { questionAnswerAddress, questionDocumentAddress, topicAnswerAddress, topicDocumentAddress, wordsOf } from './addresses.ts'
import { stateName } from '../names.ts'
import { useStaff } from '../staff-context.ts'
import { dayOf, joined, languageName } from '../format.ts'

const MAX_NEAREST = 8

/** The passages that are nearest to the words that a topic shows, which are searched for when somebody asks. */
function TopicPassages({ topic }: { topic: Pick<Topic, 'phrases' | 'words'> }): ReactNode {
  const [isOpened, setOpened] = useState(false)
  const query = wordsOf(topic).join(' ')
  return (
    <details className="passages" onToggle={({ newState }) => newState === 'open' && setOpened(true)}>
      <summary>{t('Nearest passages')}</summary>
      {isOpened && (
        <ForAgent>
          {(agent) => (
            <div key={agent} aria-live="polite">
              <p className="muted">
                {t.with('Found for the words that five visitors have in common: {words}.', { words: <bdi>{query}</bdi> })}
              </p>
              <SearchedPassages agent={agent} query={query} most={MAX_NEAREST} heading="h4" />
            </div>
          )}
        </ForAgent>
      )}
    </details>
  )
}

export function Questions(): ReactNode {
  return (
    <>
      <Trials />
      <Topics />
    </>
  )
}

/** Questions that staff tried in the panel “Ask” and that got no answer. */
function Trials(): ReactNode {
  const { ask, may } = useStaff()
  const trials = useLoaded<FailedTrials>('trials').data?.trials ?? []
  if (trials.length === 0) return null
  return (
    <Section name={t('Tried by staff')} className="agents">
      <ul className="cards">
        {trials.map(({ id, prompt, state, by, at }) => (
          <li key={id}>
            <h3 dir="auto">{prompt}</h3>
            <p className="muted">
              {t.with('{state}. Tried by {name}, {time}', { state: stateName(state), name: <bdi>{by}</bdi>, time: <Time at={at} /> })}
            </p>
            {may('change-knowledge') && (
              <p className="links">
                <a href={questionAnswerAddress(prompt)}>{t('Write the answer')}</a>
                <a href={questionDocumentAddress(prompt)}>{t('Add to the knowledge')}</a>
              </p>
            )}
            <div className="check">
              <SmallButton onClick={() => ask(prompt)}>{t('Ask again')}</SmallButton>
              {may('dismiss-questions') && (
                <ActionButton label={t('Dismiss: {name}', { name: prompt })} act={() => call('DELETE', `trials/${id}`)}>
                  {t('Dismiss')}
                </ActionButton>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Topics(): ReactNode {
  return (
    <>
      <h2>{t('Asked by visitors')}</h2>
      <p>
        {t(
          'Questions that got no answer, or one that visitors rated down. Topics are made once a day, and show only what five visitors on five networks wrote.',
        )}
      </p>
      <Loaded<TopicList> path="questions">
        {({ topics, days, outcome }) => (
          <>
            {(topics.length === 0 || outcome === 'one_network') && (
              <p className="notice">
                {outcome === 'one_network'
                  ? t(
                      'There are no topics, because all visitors came from one network: they can’t be told from one person with several browsers.',
                    )
                  : t('Not enough visitors yet. Temporary chats are never read.')}
              </p>
            )}
            <Cards items={topics}>{(topic) => <Card key={topic.id} topic={topic} ofDays={days} />}</Cards>
          </>
        )}
      </Loaded>
    </>
  )
}

function Card({ topic, ofDays }: { topic: Topic; ofDays: number }): ReactNode {
  const { may } = useStaff()
  const shown = [...topic.phrases, ...topic.words]
  const name = joined(...shown.slice(0, 3))
  const more = shown.slice(3)
  return (
    <li>
      <h3 dir="auto">{name}</h3>
      {more.length > 0 && (
        <p className="muted" dir="auto">
          {joined(...more)}
        </p>
      )}
      <p>
        {t('{prompts} prompts of {visitors} visitors: {reasons}.', {
          prompts: topic.prompts,
          visitors: topic.visitors,
          reasons: reasonsOf(topic),
        })}
        {topic.languages.length > 0 && ` ${t('In {languages}.', { languages: joined(...topic.languages.map(languageName)) })}`}
      </p>
      <p>
        {t('A topic on {count} of the last {days} days, most recently on {day}.', {
          count: topic.days,
          days: ofDays,
          day: dayOf(topic.day),
        })}
      </p>
      <TopicPassages topic={topic} />
      {may('change-knowledge') && (
        <p className="links">
          <a href={topicAnswerAddress(topic)}>{t('Write the answer')}</a>
          <a href={topicDocumentAddress(topic)}>{t('Add to the knowledge')}</a>
        </p>
      )}
      {may('dismiss-questions') && (
        <ActionButton label={t('Dismiss: {name}', { name })} act={() => call('POST', `questions/${topic.id}/dismissal`, {})}>
          {t('Dismiss')}
        </ActionButton>
      )}
    </li>
  )
}

function reasonsOf({ notCovered, ratedDown }: Topic): string {
  const counts = [
    notCovered !== 0 && t('{count} not covered', { count: countOf(notCovered) }),
    ratedDown !== 0 && t('{count} rated down', { count: countOf(ratedDown) }),
  ]
  return joined(...counts)
}

const countOf = (count: TopicCount): string | number => {
  if (typeof count === 'string') return count === 'few' ? t('few') : t('nearly all')
  return count === 0 ? t('none') : count
}
