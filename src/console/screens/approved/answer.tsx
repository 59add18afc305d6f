import type { ReactNode } from 'react'
import type { ApprovedAnswerView, CheckedApprovedDraft, ManagedApprovedAnswer } from '../../../contract/staff/content/approved-answers.ts'
import { t } from '../../../ui/language/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { call } from '../../api.ts'
import { DraftEditor } from '../../managed/draft-editor.tsx'
import { FileText } from '../../managed/file-text.tsx'
import { useDraft } from '../../managed/use-draft.ts'
import { PublicationFacts, textCalls, Versions } from '../../managed/versions.tsx'
import { Back, Loaded, Time } from '../../parts/parts.tsx'
import { useStaff } from '../../staff-context.ts'
import { copyAddress } from '../addresses.ts'
import { STATE_NAMES, draftOf, isSameDraft, mistakenFields, textOfDraft, typedDraft, singleWords } from './approved-draft.ts'
import { ApprovedFields } from './approved-fields.tsx'
import { joined, listOf } from '../../format.ts'

/** One approved answer: its draft and its versions, or the file. */
export function AnswerScreen({ id }: { id: string }): ReactNode {
  const canChange = useStaff().may('change-knowledge')
  return (
    <>
      <Back to="#/approved">{t('All approved answers')}</Back>
      <Loaded<ApprovedAnswerView> path={`approved-answers/${encodeURIComponent(id)}`}>
        {({ file, managed, agents }) => (
          <>
            {managed && <Managed view={managed} agents={agents} canChange={canChange} />}
            {file && <FileAnswer id={id} file={file} canCopy={canChange} isHiding={managed !== null} />}
          </>
        )}
      </Loaded>
    </>
  )
}

interface FileProps {
  id: string
  file: NonNullable<ApprovedAnswerView['file']>
  canCopy: boolean
  /** Whether it is in force instead of a managed answer. */
  isHiding: boolean
}

function FileAnswer({ id, file: { file, content, problems }, canCopy, isHiding }: FileProps): ReactNode {
  const readOnly = t('Read-only: it is changed in the folder of the knowledge.')
  return (
    <FileText
      file={file}
      note={isHiding ? `${readOnly} ${t('It is live instead of the console’s answer with the same id.')}` : readOnly}
      text={content ? textOfDraft(content) : undefined}
      problems={
        problems.length > 0 && (
          <ul className="problems">
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        )
      }
    >
      {content && canCopy && (
        <p>
          <a href={copyAddress(id)}>{t('Copy to a managed answer')}</a>
        </p>
      )}
    </FileText>
  )
}

interface ManagedProps {
  view: ManagedApprovedAnswer
  canChange: boolean
}

function Managed({ view, agents, canChange }: ManagedProps & { agents: readonly string[] }): ReactNode {
  const { ask } = useStaff()
  const { id, file, published, hiddenBy, state } = view
  return (
    <>
      <section aria-labelledby="managed" className="agents">
        <h2 id="managed" dir="auto">
          {view.draft.content.question || id}
        </h2>
        <p className="muted">
          <strong>{t('State')}</strong> {joined(t(STATE_NAMES[state]), published !== null && t('version {number}', { number: published }))}.{' '}
          {t.with('Draft saved by {name}, {time}.', { name: <bdi>{view.draft.by}</bdi>, time: <Time at={view.draft.at} /> })}
        </p>
        <p className="muted" dir="auto">
          {agents.length > 0
            ? t('Given by every agent whose knowledge is all of it or names “approved”: {agents}.', { agents: listOf(agents) })
            : t('No agent gives approved answers: none has all of the knowledge or names “approved”.')}{' '}
          {t('Answers and stops show it as {file}.', { file })}
        </p>
        {hiddenBy && (
          <p className="error">{t('Not live: the file {file} has the same id, and stays live while it has.', { file: hiddenBy })}</p>
        )}
        {state === 'answers' && (
          <p className="notice check">
            {t('Published')}{' '}
            <Button variant="solid" className="small" onClick={() => ask(view.draft.content.question)}>
              {t('Ask it now')}
            </Button>
          </p>
        )}
        <Editor view={view} canChange={canChange} />
      </section>
      <History view={view} canChange={canChange} />
    </>
  )
}

const storedOf = ({ content, revision, by, problems }: ManagedApprovedAnswer['draft']) => ({
  content: typedDraft(content),
  revision,
  by,
  problems,
})

function Editor({ view, canChange }: ManagedProps): ReactNode {
  const { id, published, publications } = view
  const path = `approved-answers/${id}`
  const draft = useDraft({
    stored: storedOf(view.draft),
    isSame: (one, other) => isSameDraft(draftOf(one), draftOf(other)),
    write: (typed, basedOn) => call('POST', `${path}/draft`, { content: draftOf(typed), basedOn }),
    async read() {
      const { managed } = await call<ApprovedAnswerView>('GET', path)
      return managed && storedOf(managed.draft)
    },
    check: async (typed) => (await call<CheckedApprovedDraft>('POST', `${path}/check`, { content: draftOf(typed) })).problems,
  })
  const { content, setContent, checked } = draft
  const version = publications.find(({ number }) => number === published)
  const inForce = version && { number: version.number, text: textOfDraft(version.content) }
  const fields = mistakenFields(checked.problems)
  const single = singleWords(draftOf(draft.base.content)).map((word) => `“${word}”`)
  const words = {
    publishQuestion: t('Publish this answer?'),
    publishEffect: t('Visitors who ask its question get it word for word within about a second. You can roll back at any time.'),
    publishAccept: single.length
      ? t('Anyone who types only {words} gets this answer, even if they mean something else. I accept that.', { words: listOf(single) })
      : undefined,
  }
  return (
    <DraftEditor {...{ draft, inForce, path, words, canChange }} textOf={(typed) => textOfDraft(draftOf(typed))}>
      <ApprovedFields
        typed={content}
        checked={{ draft: draftOf(checked.content), problems: checked.problems }}
        isReadOnly={!canChange}
        change={(part) => setContent({ ...content, ...part })}
      />
      {fields.length > 0 && <p className="error">{t('Problems stop it from being published: {fields}.', { fields: listOf(fields) })}</p>}
    </DraftEditor>
  )
}

function History({ view: { id, publications, published }, canChange }: ManagedProps): ReactNode {
  const words = {
    delete: t('Delete this answer'),
    deleteQuestion: t('Delete this answer?'),
    deleteEffect: t('Its draft and all its versions are deleted.'),
    rollBackEffect: t('It is published again as a new version. The draft stays as it is.'),
  }
  const calls = textCalls(`approved-answers/${id}`, {
    withdrawQuestion: t('Withdraw this answer?'),
    withdrawEffect: t('Its question is answered as any other. Its versions are kept.'),
  })
  return (
    <Versions list="#/approved" versions={publications} {...{ calls, published, canChange, words }}>
      {(publication) => (
        <>
          <PublicationFacts publication={publication} />
          <details>
            <summary>{t('Content')}</summary>
            <pre dir="auto">{textOfDraft(publication.content)}</pre>
          </details>
        </>
      )}
    </Versions>
  )
}
