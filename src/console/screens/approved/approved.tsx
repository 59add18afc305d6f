import type { ReactNode } from 'react'
import type { ApprovedAnswerList, ApprovedAnswerView, ApprovedState } from '../../../contract/staff/content/approved-answers.ts'
import { hasRight } from '../../../contract/staff/roles.ts'
import { DataList } from '../../parts/data-list.tsx'
import type { Columns } from '../../parts/data-table.tsx'
import { Show } from '../../parts/parts.tsx'
import { useStaff } from '../../staff-context.ts'
import { useLoaded } from '../../use-call.ts'
import { useHashParts } from '../../use-hash.ts'
import { wordsIn } from '../topic-words.ts'
import { AnswerScreen } from './answer.tsx'
import { approvedAddress, NEW, topicStart } from './approved-address.ts'
import { ChooseAnswer } from './choose-answer.tsx'
import { FileProblems } from './file-problems.tsx'
import { NewAnswer } from './new-answer.tsx'
import { defineMessage, type MessageText, t } from '../../../ui/language/translate.ts'
import { dayOf, joined } from '../../format.ts'

/** The approved answers, or the one that the address names. */
export function ApprovedAnswers(): ReactNode {
  const [, id = '', kind = '', first = '', second = ''] = useHashParts()
  const added = kind === 'wording' ? first : ''
  if (id === '') return <AnswerList />
  if (id !== NEW) return <AnswerScreen key={`${id}/${added}`} id={id} added={wordsIn(added)} />
  if (kind === 'copy') return <CopiedAnswer key={first} id={first} />
  if (kind === 'wording') return <ChooseAnswer key={first} words={wordsIn(first)} />
  if (kind === 'topic') return <NewAnswer key={`${first}/${second}`} {...topicStart(first, second)} />
  return <NewAnswer key={first} words={[]} draft={{ question: kind === 'question' ? first : '' }} />
}

function CopiedAnswer({ id }: { id: string }): ReactNode {
  const { loaded, reload } = useLoaded<ApprovedAnswerView>(`approved-answers/${encodeURIComponent(id)}`)
  return (
    <Show loaded={loaded} reload={reload}>
      {({ file, managed }) => <NewAnswer words={[]} draft={file?.content ?? managed?.draft.content ?? {}} />}
    </Show>
  )
}

const STATES: Readonly<Record<ApprovedState, MessageText>> = {
  draft: defineMessage('draft, not published'),
  answers: defineMessage('answers'),
  'not-yet': defineMessage('not valid yet'),
  expired: defineMessage('expired'),
  'left-out': defineMessage('left out because of a problem'),
  hidden: defineMessage('not in force'),
}

const MANAGED_COLUMNS: Columns<ApprovedAnswerList['managed'][number]> = {
  question: { name: defineMessage('Question'), value: ({ question }) => question },
  id: { name: defineMessage('Id'), value: ({ id }) => id },
  state: { name: defineMessage('State'), value: ({ state }) => t(STATES[state]) },
  version: { name: defineMessage('Version'), value: ({ published }) => published },
  draft: {
    name: defineMessage('Draft'),
    value: ({ published, hasChanges }) => (published !== null && hasChanges ? t('the draft has changes') : null),
  },
  owner: { name: defineMessage('Owner'), value: ({ owner }) => owner },
  until: { name: defineMessage('Valid until'), value: ({ validUntil }) => validUntil },
}
const FILE_COLUMNS: Columns<ApprovedAnswerList['files'][number]> = {
  question: { name: defineMessage('Question'), value: ({ question }) => question },
  file: { name: defineMessage('File'), value: ({ file }) => file },
  state: { name: defineMessage('State'), value: ({ state }) => t(STATES[state]) },
  until: { name: defineMessage('Valid until'), value: ({ validUntil }) => validUntil },
  problems: { name: defineMessage('Problems'), value: ({ problems }) => problems.join(' ') },
}

function AnswerList(): ReactNode {
  const { session } = useStaff()
  const { loaded, reload } = useLoaded<ApprovedAnswerList>('approved-answers')
  return (
    <>
      <p>
        {t(
          'Answers that staff have approved. Visitors who ask their question get them word for word, without a model. They are managed here, or in files, which are only shown.',
        )}
      </p>
      <Show loaded={loaded} reload={reload}>
        {({ managed, files, comparesMeaning }) => (
          <>
            {!comparesMeaning && (
              <p className="notice">{t('There is no embedding model: only prompts in exactly one of the wordings get the answer.')}</p>
            )}
            <section aria-labelledby="managed" className="agents">
              <h2 id="managed">{t('Managed answers')}</h2>
              {hasRight(session.role, 'change-knowledge') && (
                <p>
                  <a href={`#/approved/${NEW}`}>{t('New approved answer')}</a>
                </p>
              )}
              {managed.length === 0 && (
                <p className="muted">{t('There are none. A new answer, or a copy of one in a file, will appear here.')}</p>
              )}
              <DataList id="managed" name={t('Managed answers')} rows={managed} columns={MANAGED_COLUMNS} keyOf={({ id }) => id}>
                {({ id, question, owner, validUntil, state, published, hasChanges, hiddenBy }) => (
                  <li>
                    <h3 dir="auto">
                      <a href={approvedAddress(id)}>{question || id}</a>
                    </h3>
                    <p className="muted" dir="auto">
                      {joined(
                        t(STATES[state]),
                        published !== null && t('version {number}', { number: published }),
                        published !== null && hasChanges && t('the draft has changes'),
                        owner,
                        validUntil && t('until {day}', { day: dayOf(validUntil) }),
                      )}
                    </p>
                    {hiddenBy && <p className="error">{t('Not in force: the file {file} has the same id.', { file: hiddenBy })}</p>}
                  </li>
                )}
              </DataList>
            </section>
            <section aria-labelledby="files" className="agents">
              <h2 id="files">{t('Answers of files')}</h2>
              {files.length === 0 && <p className="muted">{t('There are none in the folder “approved” of the knowledge.')}</p>}
              <DataList id="files" name={t('Answers of files')} rows={files} columns={FILE_COLUMNS} keyOf={({ file }) => file}>
                {({ id, file, question, validUntil, state, problems }) => (
                  <li>
                    <h3 dir="auto">
                      <a href={approvedAddress(id)}>{question ?? file}</a>
                    </h3>
                    <p className="muted">{joined(file, t(STATES[state]), validUntil && t('until {day}', { day: dayOf(validUntil) }))}</p>
                    {managed.some(({ hiddenBy }) => hiddenBy === file) && (
                      <p>{t('Is in force instead of a managed answer with the same id.')}</p>
                    )}
                    <FileProblems problems={problems} />
                  </li>
                )}
              </DataList>
            </section>
          </>
        )}
      </Show>
    </>
  )
}
