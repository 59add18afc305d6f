import { type ReactNode, type ToggleEvent, useState } from 'react'
import type { Topic, TopicSearch } from '../../contract/staff/questions.ts'
import type { InstallationStatus } from '../../contract/staff/status.ts'
import { Show } from '../parts/parts.tsx'
import { useLoaded } from '../use-call.ts'
import { searchTestAddress } from './search-test.tsx'
import { AgentField, TestedPassages } from './tested-passages.tsx'
import { t } from '../../ui/language/translate.ts'

/** The passages that are nearest to a topic, which are searched for when somebody asks. */
export function TopicPassages({ topic }: { topic: Pick<Topic, 'id'> }): ReactNode {
  const [isOpened, setOpened] = useState(false)
  const open = ({ newState }: ToggleEvent<HTMLDetailsElement>) => {
    if (newState === 'open') setOpened(true)
  }
  return (
    <details className="passages" onToggle={open}>
      <summary>{t('Nearest passages')}</summary>
      {isOpened && <Search id={topic.id} />}
    </details>
  )
}

function Search({ id }: { id: string }): ReactNode {
  const status = useLoaded<InstallationStatus>('status')
  const [chosen, setChosen] = useState('')
  return (
    <Show {...status}>
      {({ agents }) => {
        const agent = agents.find((one) => one.id === chosen)?.id ?? agents[0]?.id ?? ''
        return (
          <>
            <AgentField agents={agents} value={agent} onChange={setChosen} />
            <Found key={agent} id={id} agent={agent} />
          </>
        )
      }}
    </Show>
  )
}

function Found({ id, agent }: { id: string; agent: string }): ReactNode {
  const result = useLoaded<TopicSearch>(`questions/${id}/passages?${new URLSearchParams({ agent }).toString()}`)
  return (
    <div aria-live="polite">
      <Show {...result}>
        {(found) => (
          <>
            <p className="muted">
              {t.with('Found for the words that five visitors have in common: {words}.', { words: <bdi>{found.query}</bdi> })}{' '}
              <a href={searchTestAddress(found.query, agent)}>{t('Search the knowledge for it')}</a>
            </p>
            <TestedPassages result={found} words="topic" heading="h3" />
          </>
        )}
      </Show>
    </div>
  )
}
