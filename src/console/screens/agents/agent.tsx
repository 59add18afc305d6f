import { type ReactNode, lazy, Suspense } from 'react'
import type { AgentMistake, AgentView, CheckedText, ManagedAgentView, Publication } from '../../../contract/staff/content/agents.ts'
import { defineMessage, t } from '../../../ui/language/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { call } from '../../api.ts'
import { DraftEditor } from '../../managed/draft-editor.tsx'
import { FileText } from '../../managed/file-text.tsx'
import { useDraft } from '../../managed/use-draft.ts'
import { PublicationFacts, textCalls, Versions } from '../../managed/versions.tsx'
import { ActionError, Back, Loaded, Section, TextAreaField, Time } from '../../parts/parts.tsx'
import { TextDiff } from '../../parts/text-diff.tsx'
import { useStaff } from '../../staff-context.ts'
import { useAction } from '../../use-call.ts'
import { useHashParts } from '../../use-hash.ts'
import { currentOutcome, EvaluationSection } from './evaluation.tsx'
import { TrialChat } from '../ask/trial-chat.tsx'

function Mistakes({ mistakes }: { mistakes: readonly AgentMistake[] }): ReactNode {
  if (mistakes.length === 0) return null
  return (
    <ul className="problems">
      {mistakes.map(({ line, message }) => (
        <li key={`${line} ${message}`}>{t.with('Line {number}: {message}', { number: t.number(line), message: <bdi>{message}</bdi> })}</li>
      ))}
    </ul>
  )
}

/** Loaded where an agent is edited, with the library that reads front matter. */
const AgentFieldsForm = lazy(() => import('./agent-fields.tsx'))

const isEvaluating = ({ managed }: AgentView) => managed?.evaluations[0]?.status === 'running'

export function AgentScreen({ id }: { id: string }): ReactNode {
  const canChange = useStaff().may('change-agents')
  return (
    <>
      <Back to="#/agents">{t('All agents')}</Back>
      <Loaded<AgentView> path={`agents/${encodeURIComponent(id)}`} isChanging={isEvaluating}>
        {({ file, managed }) => (
          <>
            {managed && <Managed view={managed} canChange={canChange} />}
            {file && <FileAgent {...{ id, file, managed, canChange }} />}
          </>
        )}
      </Loaded>
    </>
  )
}

interface FileProps {
  id: string
  file: NonNullable<AgentView['file']>
  managed: ManagedAgentView | null
  canChange: boolean
}

function FileAgent({ id, file, managed, canChange }: FileProps): ReactNode {
  const { run, isBusy, error } = useAction()
  const live = managed?.publications.find(({ number }) => number === managed.published)
  const edit = () => run(() => call('POST', 'agents', { id, text: withId(file.text, id) }))
  const goBack = () => run(() => call('DELETE', `agents/${id}/publication`))
  return (
    <FileText
      file={file.name}
      note={
        live
          ? t('The console’s version is live instead of this file.')
          : t('From a file (read-only). “Edit here” copies it to the console under the same id; once published, that version is live.')
      }
      text={file.text}
      problems={<Mistakes mistakes={file.mistakes} />}
    >
      {live && file.changedAt > live.at && <p className="notice">{t('The file has changed since the console’s version was published.')}</p>}
      {live && live.text !== file.text && (
        <details>
          <summary>{t('What changed since version {number}', { number: live.number })}</summary>
          <TextDiff before={live.text} after={file.text} />
        </details>
      )}
      {canChange && (!managed || live) && (
        <Button variant={managed ? 'outline' : 'solid'} disabled={isBusy} onClick={live ? goBack : edit}>
          {live ? t('Go back to the file') : t('Edit here')}
        </Button>
      )}
      <ActionError message={error} />
    </FileText>
  )
}

function withId(text: string, id: string): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  const end = lines.indexOf('---', 1)
  const place = lines.findIndex((line, index) => index > 0 && index < end && /^id\s*:/.test(line))
  if (place !== -1) lines[place] = `id: ${id}`
  return lines.join('\n')
}

interface ManagedProps {
  view: ManagedAgentView
  canChange: boolean
}

const TABS = { settings: defineMessage('Settings'), evaluation: defineMessage('Evaluation'), versions: defineMessage('Versions') } as const

/** A managed agent in tabs, with a chat on its draft beside them. What is typed in one tab stays while another is shown. */
function Managed({ view, canChange }: ManagedProps): ReactNode {
  const { id, published, publications } = view
  const [, , named = ''] = useHashParts()
  const tab = Object.hasOwn(TABS, named) ? named : 'settings'
  const inForce = publications.find(({ number }) => number === published)
  return (
    <Section name={id} className="agents">
      <Stages view={view} inForce={inForce} />
      <div className="ranges" role="group" aria-label={t('Parts of the agent')}>
        {Object.entries(TABS).map(([name, title]) => (
          <a key={name} href={`#/agents/${encodeURIComponent(id)}/${name}`} aria-current={name === tab ? 'true' : undefined}>
            {t(title)}
          </a>
        ))}
      </div>
      <div className="beside">
        <div hidden={tab !== 'settings'}>
          <Editor view={view} inForce={inForce} canChange={canChange} />
        </div>
        <div hidden={tab !== 'evaluation'}>
          <EvaluationSection view={view} canChange={canChange} />
        </div>
        <div hidden={tab !== 'versions'}>
          <History view={view} canChange={canChange} />
        </div>
        {canChange && (
          <Section name={t('Try the draft')} className="agents">
            <p className="muted">
              {t(
                'It answers as visitors would be answered, from the saved draft. The chat isn’t stored; answers are counted in the budget. Tools are really called.',
              )}
            </p>
            <TrialChat path={`agents/${id}/answers`} label={t('Ask the draft')} isDisabled={view.draft.mistakes.length > 0} />
          </Section>
        )}
      </div>
    </Section>
  )
}

/** How far the draft is on its way to visitors. */
function Stages({ view, inForce }: { view: ManagedAgentView; inForce: Publication | undefined }): ReactNode {
  const { draft } = view
  const outcome = currentOutcome(view)
  const isPublished = inForce?.text === draft.text
  return (
    <ol className="stages" aria-label={t('Stages')}>
      <li>
        <strong>{t('Draft')}</strong>{' '}
        {t.with('{hash}, saved by {name}, {time}', {
          hash: draft.hash.slice(0, 12),
          name: <bdi>{draft.by}</bdi>,
          time: <Time at={draft.at} />,
        })}
      </li>
      <li className={outcome.isPassed ? 'good' : undefined}>
        <strong>{t('Evaluation')}</strong> {outcome.text}
      </li>
      <li className={isPublished ? 'good' : undefined}>
        <strong>{t('Published')}</strong> {publishedText(inForce, isPublished)}
      </li>
    </ol>
  )
}

function publishedText(inForce: Publication | undefined, isPublished: boolean): string {
  if (!inForce) return t('nothing')
  const { number } = inForce
  return isPublished
    ? t('version {number}, the same as the draft', { number })
    : t('version {number}, which differs from the draft', { number })
}

const storedOf = ({ text: content, revision, by, mistakes: problems }: ManagedAgentView['draft']) => ({ content, revision, by, problems })

function Editor({ view, inForce, canChange }: ManagedProps & { inForce: Publication | undefined }): ReactNode {
  const path = `agents/${view.id}`
  const draft = useDraft<string, AgentMistake>({
    stored: storedOf(view.draft),
    write: (text, basedOn) => call('POST', `${path}/draft`, { text, basedOn }),
    async read() {
      const { managed } = await call<AgentView>('GET', path)
      return managed && storedOf(managed.draft)
    },
    check: async (text) => (await call<CheckedText>('POST', `${path}/check`, { text })).mistakes,
  })
  const { content, setContent } = draft
  const mistakes = draft.checked.problems
  const effect = t('Visitors get its answers within about a second. You can roll back at any time.')
  const words = {
    publishQuestion: t('Publish this draft?'),
    publishEffect: view.cases.count === 0 ? `${t('It wasn’t evaluated, because the agent has no cases.')} ${effect}` : effect,
  }
  return (
    <DraftEditor {...{ draft, inForce, path, words, canChange }} textOf={(text) => text}>
      {canChange && (
        <Suspense fallback={<p className="muted">{t('Loading')}</p>}>
          <AgentFieldsForm text={content} mistakes={mistakes} onChange={setContent} />
        </Suspense>
      )}
      <TextAreaField
        label={t('Text')}
        hint={t('The same draft with everything else that a file of an agent can have: front matter and instruction.')}
        error={mistakes.length > 0 ? t.plural(mistakes.length, 'A mistake: see below.', '{count} mistakes: see below.') : undefined}
        className="agent-text"
        dir="auto"
        rows={20}
        spellCheck={false}
        readOnly={!canChange}
        value={content}
        onChange={setContent}
      />
      <Mistakes mistakes={mistakes} />
    </DraftEditor>
  )
}

function History({ view: { id, publications, published }, canChange }: ManagedProps): ReactNode {
  const words = {
    delete: t('Delete this agent'),
    deleteQuestion: t('Delete this agent?'),
    deleteEffect: t('Its draft and all its versions are deleted.'),
    rollBackEffect: t('Its text is published again as a new version. The draft stays as it is.'),
  }
  const calls = textCalls(`agents/${id}`, {
    withdrawQuestion: t('Withdraw this agent?'),
    withdrawEffect: t('Its chats continue with the first agent. Its versions are kept.'),
  })
  return (
    <Versions list="#/agents" versions={publications} {...{ calls, published, canChange, words }}>
      {(publication) => (
        <>
          <PublicationFacts publication={publication} />
          <p className="muted">
            {publication.evaluation
              ? t('Evaluated: {count} of {total} cases right.', {
                  count: publication.evaluation.right,
                  total: publication.evaluation.total,
                })
              : t('Published without an evaluation.')}
          </p>
          <details>
            <summary>{t('Text')}</summary>
            <pre dir="auto">{publication.text}</pre>
          </details>
        </>
      )}
    </Versions>
  )
}
