import { type ReactNode, type SyntheticEvent, useState } from 'react'
import type { SearchTestResult, TestedPassage } from '../../contract/staff/search-test.ts'
import type { InstallationStatus } from '../../contract/staff/status.ts'
import { Button } from '../../web/ui/button.tsx'
import { Field, Show } from '../parts.tsx'
import { useHash } from '../use-hash.ts'
import { useLoaded } from '../use-call.ts'

const MAX_QUERY_CHARACTERS = 500
const PERCENT = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 })

/** What the search finds for a query, which is part of the address. */
export function SearchTest(): ReactNode {
  const status = useLoaded<InstallationStatus>('status')
  const [, agent = '', ...rest] = useHash().split('/')
  const query = decoded(rest.join('/'))
  return (
    <>
      <p>Shows what an agent’s model would be sent for a question, and which passages come close to it.</p>
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

function decoded(text: string): string {
  try {
    return decodeURIComponent(text).slice(0, MAX_QUERY_CHARACTERS)
  } catch {
    return ''
  }
}

function SearchForm({ agents, agent, query }: { agents: InstallationStatus['agents']; agent: string; query: string }): ReactNode {
  const [text, setText] = useState(query)
  const [id, setId] = useState(agent)
  const [mistake, setMistake] = useState('')
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const wanted = text.trim()
    setMistake(wanted === '' ? 'Enter a question or words.' : '')
    if (wanted !== '') location.hash = searchTestAddress(wanted, id)
  }
  return (
    <form onSubmit={submit} noValidate aria-label="Search the knowledge">
      <Field label="Question" error={mistake}>
        {(ids) => (
          <input {...ids} dir="auto" maxLength={MAX_QUERY_CHARACTERS} value={text} onChange={({ target }) => setText(target.value)} />
        )}
      </Field>
      {agents.length > 1 && (
        <Field label="Agent">
          {(ids) => (
            <select {...ids} value={id} onChange={({ target }) => setId(target.value)}>
              {agents.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.name}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <Button look="solid" type="submit">
        Search
      </Button>
    </form>
  )
}

function Results({ path }: { path: string }): ReactNode {
  const result = useLoaded<SearchTestResult>(path)
  return (
    <section aria-label="Passages" aria-live="polite">
      <Show {...result}>
        {({ passages }) =>
          passages.length === 0 ? (
            <p className="notice">Nothing in this agent’s knowledge has any of these words.</p>
          ) : (
            <ol className="cards">
              {passages.map((passage, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- a list that never changes
                <Passage key={index} passage={passage} />
              ))}
            </ol>
          )
        }
      </Show>
    </section>
  )
}

function Passage({ passage: { file, breadcrumb, place, asOf, text, score, relevance, isSent } }: { passage: TestedPassage }): ReactNode {
  return (
    <li>
      <h2 dir="auto">{breadcrumb}</h2>
      <p className="muted" dir="auto">
        {[file, place, asOf].filter(Boolean).join(', ')}
      </p>
      <p>
        {isSent ? 'Sent to the model' : 'Near miss'}. Score {PERCENT.format(score)}; covers {PERCENT.format(relevance)} of the question’s
        words.
      </p>
      <details>
        <summary>Text</summary>
        <p className="passage" dir="auto">
          {text}
        </p>
      </details>
    </li>
  )
}
