import { type ReactNode, type SyntheticEvent, useState } from 'react'
import type { SearchTestResult } from '../../contract/staff/content/search-test.ts'
import type { InstallationStatus } from '../../contract/staff/status.ts'
import { t } from '../../ui/language/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Show } from '../parts/parts.tsx'
import { AgentField, TestedPassages } from './tested-passages.tsx'
import { useHashParts } from '../use-hash.ts'
import { useLoaded } from '../use-call.ts'

const MAX_QUERY_CHARACTERS = 500

/** Screen with search results for the query in the address. */
export function SearchTest(): ReactNode {
  const status = useLoaded<InstallationStatus>('status')
  const [, agent = '', text = ''] = useHashParts()
  const query = text.slice(0, MAX_QUERY_CHARACTERS)
  return (
    <>
      <p>{t('Shows what an agent would answer from for a question, and which passages come close to it.')}</p>
      <Show {...status}>
        {({ agents }) => {
          const chosen = agents.find(({ id }) => id === agent)?.id ?? agents[0]?.id ?? ''
          return (
            <>
              <SearchForm key={`${chosen} ${query}`} agents={agents} agent={chosen} query={query} />
              {query !== '' && (
                <Results key={`${chosen}/${query}`} path={`search-test?${new URLSearchParams({ agent: chosen, query }).toString()}`} />
              )}
            </>
          )
        }}
      </Show>
    </>
  )
}

/** Address of the screen with a query. */
export function searchTestAddress(query: string, agent = ''): string {
  return `#/search/${encodeURIComponent(agent)}/${encodeURIComponent(query)}`
}

function SearchForm({ agents, agent, query }: { agents: InstallationStatus['agents']; agent: string; query: string }): ReactNode {
  const [text, setText] = useState(query)
  const [id, setId] = useState(agent)
  const [mistake, setMistake] = useState('')
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const wanted = text.trim()
    setMistake(wanted === '' ? t('Enter a question or words.') : '')
    if (wanted !== '') location.hash = searchTestAddress(wanted, id)
  }
  return (
    <form onSubmit={submit} noValidate aria-label={t('Search the knowledge')}>
      <Field label={t('Question')} error={mistake}>
        {(ids) => (
          <input {...ids} dir="auto" maxLength={MAX_QUERY_CHARACTERS} value={text} onChange={({ target }) => setText(target.value)} />
        )}
      </Field>
      <AgentField agents={agents} value={id} onChange={setId} />
      <Button variant="solid" type="submit">
        {t('Search')}
      </Button>
    </form>
  )
}

function Results({ path }: { path: string }): ReactNode {
  const result = useLoaded<SearchTestResult>(path)
  return (
    <section aria-label={t('Passages')} aria-live="polite">
      <Show {...result}>{(found) => <TestedPassages result={found} words="question" heading="h2" />}</Show>
    </section>
  )
}
