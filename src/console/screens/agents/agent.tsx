import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { AgentView, CheckedText, ManagedAgentView, Publication } from '../../../contract/staff/agents.ts'
import { hasRight } from '../../../contract/staff/roles.ts'
import { t } from '../../../web/language/translate.ts'
import { Button } from '../../../web/ui/button.tsx'
import { call, Rejected } from '../../api.ts'
import { ActionError, Field, Show, Time } from '../../parts.tsx'
import { useStaff } from '../../staff-context.ts'
import { TextDiff } from '../../text-diff.tsx'
import { useAction, useLoaded } from '../../use-call.ts'
import { CompareVersions } from './compare-versions.tsx'
import { CreateAgentForm } from './create-agent-form.tsx'
import { currentOutcome, EvaluationSection } from './evaluation.tsx'
import { History } from './history.tsx'
import { PublishButton } from './publish-button.tsx'
import { Conflict, Mistakes } from './text-parts.tsx'
import { TrialChat } from './trial-chat.tsx'

/** Loaded where an agent is edited, with the library that reads front matter. */
const AgentFieldsForm = lazy(() => import('./agent-fields.tsx'))

/** One agent: its draft and its history, or the file's text. */
export function AgentScreen({ id }: { id: string }): ReactNode {
  const { session } = useStaff()
  const { loaded, reload } = useLoaded<AgentView>(`agents/${encodeURIComponent(id)}`)
  const canChange = hasRight(session.role, 'change-agents')
  return (
    <>
      <p>
        <a href="#/agents">{t('All agents')}</a>
      </p>
      <Show loaded={loaded} reload={reload}>
        {({ file, managed }) => (
          <>
            {managed && <Managed view={managed} canChange={canChange} reload={reload} />}
            {file && <FileAgent id={id} file={file} canCopy={canChange} isHiding={managed !== null} />}
          </>
        )}
      </Show>
    </>
  )
}

interface FileProps {
  id: string
  file: NonNullable<AgentView['file']>
  canCopy: boolean
  /** Whether it is in force instead of a managed agent. */
  isHiding: boolean
}

function FileAgent({ id, file, canCopy, isHiding }: FileProps): ReactNode {
  return (
    <section aria-labelledby="file" className="agents">
      <h2 id="file">{t('File {file}', { file: file.name })}</h2>
      <p className="muted">
        {t('Read-only: it is changed in the folder of the agents.')}
        {isHiding && <> {t('It is in force instead of the managed agent with the same id.')}</>}
      </p>
      <Mistakes mistakes={file.mistakes} />
      <pre dir="auto">{file.text}</pre>
      {canCopy && (
        <>
          <h3>{t('Copy to a managed agent')}</h3>
          <p className="muted">{t('While the file has the same id, the file stays in force.')}</p>
          <CreateAgentForm
            label={t('Copy to a managed agent')}
            action={t('Copy')}
            idBefore={`${id.toLowerCase().replace(/\.md$/, '').slice(0, 59)}-copy`}
            text={(copied) => withId(file.text, copied)}
          />
        </>
      )}
    </section>
  )
}

/** The text with another id. */
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
  reload: () => Promise<void>
}

function Managed({ view, canChange, reload }: ManagedProps): ReactNode {
  const { id, published, hiddenBy, publications } = view
  const inForce = publications.find(({ number }) => number === published)
  return (
    <>
      <section aria-labelledby="managed" className="agents">
        <h2 id="managed">{id}</h2>
        <Stages view={view} inForce={inForce} />
        {hiddenBy && (
          <p className="error">
            {t('Not in force: the file {file} has the same id, and stays in force while it has.', { file: hiddenBy })}
          </p>
        )}
        <Editor view={view} inForce={inForce} canChange={canChange} reload={reload} />
      </section>
      <EvaluationSection view={view} canChange={canChange} reload={reload} />
      {canChange && <TrialChat view={view} />}
      {canChange && view.publications.length > 0 && <CompareVersions view={view} />}
      <History view={view} canChange={canChange} reload={reload} />
    </>
  )
}

/** How far the draft is on its way to visitors. */
function Stages({ view, inForce }: { view: ManagedAgentView; inForce: Publication | undefined }): ReactNode {
  const { draft, publications } = view
  const outcome = currentOutcome(view)
  const isPublished = inForce?.text === draft.text
  const earlier = publications.length - (inForce ? 1 : 0)
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
      <li>
        <strong>{t('Earlier versions')}</strong> {earlier === 0 ? t('none') : t.number(earlier)}
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

/** What is typed, beside the draft that it began from. */
function Editor({ view, inForce, canChange, reload }: ManagedProps & { inForce: Publication | undefined }): ReactNode {
  const { id, draft } = view
  const [text, setText] = useState(draft.text)
  const [base, setBase] = useState(draft)
  const [mistakes, setMistakes] = useState(draft.mistakes)
  const [theirs, setTheirs] = useState<ManagedAgentView['draft'] | null>(null)
  const { run, isBusy, error } = useAction()
  const isChanged = text !== base.text
  const path = `agents/${id}`
  const take = (saved: ManagedAgentView['draft']) => {
    setBase(saved)
    setMistakes(saved.mistakes)
    setTheirs(null)
  }
  // What is saved now, or what somebody else saved meanwhile.
  const read = async (): Promise<void> => {
    const { managed } = await call<AgentView>('GET', path)
    if (managed?.draft.text === text) take(managed.draft)
    else if (managed) setTheirs(managed.draft)
  }
  const save = () =>
    run(async () => {
      try {
        await call('POST', `${path}/draft`, { text, basedOn: (theirs ?? base).revision })
      } catch (cause) {
        if (!(cause instanceof Rejected) || cause.code !== 'agent_changed') throw cause
      }
      await read()
      await reload()
    })
  const check = () => run(async () => setMistakes((await call<CheckedText>('POST', `${path}/check`, { text })).mistakes))

  return (
    <>
      {canChange && (
        <Suspense fallback={<p className="muted">{t('Loading')}</p>}>
          <AgentFieldsForm text={text} mistakes={mistakes} onChange={setText} />
        </Suspense>
      )}
      <Field
        label={t('Text')}
        hint={t('The same draft with everything else that a file of an agent can have: front matter and instruction.')}
        error={mistakes.length > 0 ? t.plural(mistakes.length, 'A mistake: see below.', '{count} mistakes: see below.') : undefined}
      >
        {(ids) => (
          <textarea
            {...ids}
            className="agent-text"
            dir="auto"
            rows={20}
            spellCheck={false}
            readOnly={!canChange}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      <Mistakes mistakes={mistakes} />
      {theirs && (
        <Conflict
          theirs={theirs}
          text={text}
          onUseTheirs={() => {
            setText(theirs.text)
            take(theirs)
          }}
        />
      )}
      {canChange && (
        <div className="actions">
          <Button variant="outline" disabled={isBusy} onClick={check}>
            {t('Check')}
          </Button>
          <Button variant="outline" disabled={isBusy || (!isChanged && !theirs)} onClick={save}>
            {theirs ? t('Replace their text') : t('Save draft')}
          </Button>
          <PublishButton view={view} revision={base.revision} isDisabled={isBusy || isChanged || mistakes.length > 0} reload={reload} />
        </div>
      )}
      <p className="muted" role="status">
        {isChanged ? t('There are changes that aren’t saved.') : t('Saved.')}
      </p>
      <ActionError message={error} />
      <Changes inForce={inForce} text={text} />
    </>
  )
}

/** What the text changes of the version in force. */
function Changes({ inForce, text }: { inForce: Publication | undefined; text: string }): ReactNode {
  if (!inForce || inForce.text === text) return null
  return (
    <details>
      <summary>{t('What changed since version {number}', { number: inForce.number })}</summary>
      <TextDiff before={inForce.text} after={text} />
    </details>
  )
}
