import type { ReactNode } from 'react'
import { PAGE_LANGUAGES } from '../../../contract/page-languages.ts'
import type { ApprovedAnswerList, ApprovedAnswerView, ApprovedDraft } from '../../../contract/staff/content/approved-answers.ts'
import { type Columns, DataTable } from '../../parts/data-table.tsx'
import { Loaded } from '../../parts/parts.tsx'
import { useStaff } from '../../staff-context.ts'
import { useHashParts } from '../../use-hash.ts'
import { AnswerScreen } from './answer.tsx'
import { approvedAddress, NEW } from '../addresses.ts'
import { STATE_NAMES } from './approved-draft.ts'
import { NewAnswer } from './new-answer.tsx'
import { defineMessage, t } from '../../../ui/language/translate.ts'
import { dayOf, joined, linesIn } from '../../format.ts'

export function ApprovedAnswers(): ReactNode {
  const [, id = '', kind = '', first = '', second = ''] = useHashParts()
  if (id === '') return <AnswerList />
  if (id !== NEW) return <AnswerScreen key={id} id={id} />
  if (kind === 'copy') return <CopiedAnswer key={first} id={first} />
  if (kind === 'topic') return <NewAnswer key={`${first}/${second}`} {...topicStart(first, second)} />
  return <NewAnswer key={first} words={[]} draft={{ question: kind === 'question' ? first : '' }} />
}

/** Initial values of the form for a topic. */
function topicStart(shown: string, languages: string): { words: string[]; draft: Partial<ApprovedDraft> } {
  const words = linesIn(shown)
  const known = PAGE_LANGUAGES.filter((language) => languages.split(',').includes(language))
  // The question's own words are kept as a wording, because staff often replace the question.
  return { words, draft: { question: words[0] ?? '', matches: words, ...(known.length > 0 && { languages: known }) } }
}

function CopiedAnswer({ id }: { id: string }): ReactNode {
  return (
    <Loaded<ApprovedAnswerView> path={`approved-answers/${encodeURIComponent(id)}`}>
      {({ file, managed }) => <NewAnswer words={[]} draft={file?.content ?? managed?.draft.content ?? {}} />}
    </Loaded>
  )
}

type Listed = ApprovedAnswerList['managed'][number] | ApprovedAnswerList['files'][number]

const COLUMNS: Columns<Listed> = {
  question: {
    name: defineMessage('Question'),
    value: ({ question, id }) => question || id,
    show: ({ question, id }) => <a href={approvedAddress(id)}>{question || id}</a>,
  },
  source: { name: defineMessage('Source'), value: (answer) => ('file' in answer ? answer.file : t('Console')) },
  state: { name: defineMessage('State'), value: stateOf },
  owner: { name: defineMessage('Owner'), value: (answer) => ('file' in answer ? null : answer.owner) },
  until: {
    name: defineMessage('Valid until'),
    value: ({ validUntil }) => validUntil,
    show: ({ validUntil }) => validUntil && dayOf(validUntil),
  },
  problems: {
    name: defineMessage('Problems'),
    isSentence: true,
    value: (answer) =>
      'file' in answer
        ? answer.problems.join(' ')
        : answer.hiddenBy && t('Not live: the file {file} has the same id.', { file: answer.hiddenBy }),
  },
}

function stateOf(answer: Listed): string {
  if ('file' in answer || answer.published === null) return t(STATE_NAMES[answer.state])
  return joined(
    t(STATE_NAMES[answer.state]),
    t('version {number}', { number: answer.published }),
    answer.hasChanges && t('the draft has changes'),
  )
}

function AnswerList(): ReactNode {
  const { may } = useStaff()
  return (
    <>
      <p>{t('Visitors who ask one of these questions get the answer word for word, without a model.')}</p>
      {may('change-knowledge') && (
        <p>
          <a href={`#/approved/${NEW}`}>{t('New approved answer')}</a>
        </p>
      )}
      <Loaded<ApprovedAnswerList> path="approved-answers">
        {({ managed, files, comparesMeaning }) => (
          <section aria-label={t('Approved answers')} className="figures">
            {!comparesMeaning && (
              <p className="notice">{t('There is no embedding model: only prompts in exactly one of the wordings get the answer.')}</p>
            )}
            <DataTable
              name={t('Approved answers')}
              className="documents"
              rows={[...managed, ...files]}
              empty={<p className="muted">{t('None.')}</p>}
              columns={COLUMNS}
              keyOf={(answer) => ('file' in answer ? answer.file : `${answer.id} `)}
            />
          </section>
        )}
      </Loaded>
    </>
  )
}
