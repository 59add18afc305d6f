import { type ReactNode, useState } from 'react'
import type { SearchTestResult, TestedPassage } from '../../../contract/staff/content/search-test.ts'
import type { InstallationStatus } from '../../../contract/staff/status.ts'
import { Loaded, option, SelectField } from '../../parts/parts.tsx'
import { t } from '../../../ui/language/translate.ts'
import { dayOf, joined, percentOf } from '../../format.ts'

const MAX_QUERY_CHARACTERS = 500

/** Renders the children for one agent, below a choice if there are several. */
export function ForAgent({ children }: { children: (agent: string) => ReactNode }): ReactNode {
  const [chosen, setChosen] = useState('')
  return (
    <Loaded<InstallationStatus> path="status">
      {({ agents }) => {
        const agent = agents.find(({ id }) => id === chosen)?.id ?? agents[0]?.id ?? ''
        return (
          <>
            {agents.length > 1 && (
              <SelectField label={t('Agent')} value={agent} onChange={setChosen}>
                {agents.map(({ id, name }) => option(id, name))}
              </SelectField>
            )}
            {children(agent)}
          </>
        )
      }}
    </Loaded>
  )
}

interface SearchedPassagesProps {
  agent: string
  query: string
  /** Fewer than the search finds. */
  most?: number
  heading: 'h3' | 'h4'
}

/** Searches an agent's knowledge, and shows what it finds: each passage with its scores and why it doesn't count. */
export function SearchedPassages({ agent, query, most, heading }: SearchedPassagesProps): ReactNode {
  const searched = new URLSearchParams({ agent, query: query.slice(0, MAX_QUERY_CHARACTERS) }).toString()
  return (
    <Loaded<SearchTestResult> path={`search-test?${searched}`}>
      {({ passages, ...result }) =>
        passages.length === 0 ? (
          <p className="notice">{t('Nothing in this agent’s knowledge has any of these words.')}</p>
        ) : (
          <ol className="cards">
            {passages.slice(0, most).map((passage, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- a list that never changes
              <Passage key={index} passage={passage} result={result} heading={heading} />
            ))}
          </ol>
        )
      }
    </Loaded>
  )
}

interface PassageProps {
  passage: TestedPassage
  result: Omit<SearchTestResult, 'passages'>
  heading: 'h3' | 'h4'
}

function Passage({ passage, result, heading: Heading }: PassageProps): ReactNode {
  const { file, breadcrumb, place, asOf, text, score, relevance } = passage
  return (
    <li>
      <Heading dir="auto">{breadcrumb}</Heading>
      <p className="muted" dir="auto">
        {joined(file.replace(/^source:(uploads\/)?/, ''), place, asOf && dayOf(asOf))}
      </p>
      <p>
        {verdictOf(passage, result)}{' '}
        {t('Score {score}; contains {share} of the words.', { score: percentOf(score), share: percentOf(relevance) })}
      </p>
      <details>
        <summary>{t('Text')}</summary>
        <p className="passage" dir="auto">
          {text}
        </p>
      </details>
    </li>
  )
}

function verdictOf({ missed }: TestedPassage, { usedBy, minRelevance }: Pick<SearchTestResult, 'usedBy' | 'minRelevance'>): string {
  const isModel = usedBy === 'model'
  switch (missed) {
    case null:
      return isModel ? t('Used: sent to the model.') : t('Used: can be quoted.')
    case 'low_relevance':
      return t('Not used: it contains too few of the words ({share} needed).', { share: percentOf(minRelevance ?? 0) })
    case 'other_words':
      return t('Not used: it isn’t about all of these words.')
    case 'ambiguous':
      return t('Not used: other passages are about this word just as much.')
    case 'outranked':
      return isModel ? t('Not used: others fill what the model is sent.') : t('Not used: others are nearer.')
    case 'stopped':
      return t('Not used: staff have stopped its file.')
  }
}
