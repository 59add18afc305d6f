import { type ReactNode, useState } from 'react'
import type {
  ApprovedAnswerView,
  ApprovedDraft,
  ApprovedPublication,
  CheckedApprovedDraft,
  ManagedApprovedAnswer,
} from '../../../contract/staff/approved-answers.ts'
import { hasRight } from '../../../contract/staff/roles.ts'
import { defineMessage, type MessageText, t } from '../../../web/language/translate.ts'
import { Button } from '../../../web/ui/button.tsx'
import { call, Rejected } from '../../api.ts'
import { ActionError, Confirm, Show, Time } from '../../parts.tsx'
import { confirmed } from '../../passkeys.ts'
import { useStaff } from '../../staff-context.ts'
import { TextDiff } from '../../text-diff.tsx'
import { useAction, useLoaded } from '../../use-call.ts'
import { copyAddress } from './approved-address.ts'
import { draftOf, isSameDraft, mistakenFields, textOfDraft, type TypedDraft, typedDraft, withWordings } from './approved-draft.ts'
import { ApprovedFields, type CheckedDraft } from './approved-fields.tsx'
import { FileProblems } from './file-problems.tsx'
import { Versions } from './versions.tsx'
import { joined, listOf } from '../../format.ts'

/** One approved answer: its draft and its versions, or the file. `added` are further wordings for its draft, which somebody has yet to save. */
export function AnswerScreen({ id, added }: { id: string; added: readonly string[] }): ReactNode {
  const { session } = useStaff()
  const { loaded, reload } = useLoaded<ApprovedAnswerView>(`approved-answers/${encodeURIComponent(id)}`)
  const canChange = hasRight(session.role, 'change-knowledge')
  return (
    <>
      <p>
        <a href="#/approved">{t('All approved answers')}</a>
      </p>
      <Show loaded={loaded} reload={reload}>
        {({ file, managed, agents }) => (
          <>
            {managed && <Managed view={managed} agents={agents} added={canChange ? added : []} canChange={canChange} reload={reload} />}
            {file && <FileAnswer id={id} file={file} canCopy={canChange} isHiding={managed !== null} />}
          </>
        )}
      </Show>
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
  return (
    <section aria-labelledby="file" className="agents">
      <h2 id="file">{t('File {file}', { file })}</h2>
      <p className="muted">
        {t('Read-only: it is changed in the folder of the knowledge.')}
        {isHiding && <> {t('It is in force instead of the managed answer with the same id.')}</>}
      </p>
      <FileProblems problems={problems} />
      {content && <pre dir="auto">{textOfDraft(content)}</pre>}
      {content && canCopy && (
        <p>
          <a href={copyAddress(id)}>{t('Copy to a managed answer')}</a>
        </p>
      )}
    </section>
  )
}

interface ManagedProps {
  view: ManagedApprovedAnswer
  canChange: boolean
  reload: () => Promise<void>
}

const STATE_SENTENCES: Readonly<Record<ManagedApprovedAnswer['state'], MessageText | null>> = {
  draft: defineMessage('Nothing is published.'),
  answers: defineMessage('It answers.'),
  'not-yet': defineMessage('It answers from its first day on.'),
  expired: defineMessage('It has expired and no longer answers.'),
  'left-out': defineMessage('It is left out: beside the other answers in force, a wording of it has a problem. Check the draft.'),
  hidden: null,
}

interface DraftProps extends ManagedProps {
  added: readonly string[]
}

function Managed({ view, agents, added, canChange, reload }: DraftProps & { agents: readonly string[] }): ReactNode {
  const { id, file, published, hiddenBy, state } = view
  return (
    <>
      <section aria-labelledby="managed" className="agents">
        <h2 id="managed">{id}</h2>
        <p className="muted">
          {published !== null && `${t('Version {number} is published.', { number: published })} `}
          {STATE_SENTENCES[state] && `${t(STATE_SENTENCES[state])} `}
          {t.with('Draft saved by {name}, {time}.', { name: <bdi>{view.draft.by}</bdi>, time: <Time at={view.draft.at} /> })}
        </p>
        <p className="muted" dir="auto">
          {agents.length > 0
            ? t('Given by every agent whose knowledge is all of it or names “approved”: {agents}.', { agents: listOf(agents) })
            : t('No agent gives approved answers: none has all of the knowledge or names “approved”.')}{' '}
          {t('Answers and stops name it {file}.', { file })}
        </p>
        {hiddenBy && (
          <p className="error">
            {t('Not in force: the file {file} has the same id, and stays in force while it has.', { file: hiddenBy })}
          </p>
        )}
        <Editor view={view} added={added} canChange={canChange} reload={reload} />
      </section>
      <Versions view={view} canChange={canChange} reload={reload} />
    </>
  )
}

type Draft = ManagedApprovedAnswer['draft']
const checkedOf = ({ content, problems }: Draft): CheckedDraft => ({ draft: content, problems })

/** What is typed, beside the draft that it began from. */
function Editor({ view: { id, draft, published, publications }, added, canChange, reload }: DraftProps): ReactNode {
  const [typed, setTyped] = useState<TypedDraft>(() => typedDraft(withWordings(draft.content, added)))
  const [base, setBase] = useState(draft)
  const [checked, setChecked] = useState<CheckedDraft>(() => checkedOf(draft))
  const [theirs, setTheirs] = useState<Draft | null>(null)
  const [isAsking, setAsking] = useState(false)
  const { run, isBusy, error } = useAction()
  const content = draftOf(typed)
  const isChanged = !isSameDraft(content, base.content)
  const path = `approved-answers/${id}`
  const take = (saved: Draft) => {
    setBase(saved)
    setChecked(checkedOf(saved))
    setTheirs(null)
  }
  // What is saved now, or what somebody else saved meanwhile.
  const read = async (): Promise<void> => {
    const { managed } = await call<ApprovedAnswerView>('GET', path)
    if (managed && isSameDraft(managed.draft.content, content)) take(managed.draft)
    else if (managed) setTheirs(managed.draft)
  }
  const save = () =>
    run(async () => {
      try {
        await call('POST', `${path}/draft`, { content, basedOn: (theirs ?? base).revision })
      } catch (cause) {
        if (!(cause instanceof Rejected) || cause.code !== 'changed_meanwhile') throw cause
      }
      await read()
      await reload()
    })
  const check = () =>
    run(async () =>
      setChecked({ draft: content, problems: (await call<CheckedApprovedDraft>('POST', `${path}/check`, { content })).problems }),
    )
  const publish = () =>
    run(async () => {
      await confirmed(() => call('POST', `${path}/publication`, { revision: base.revision }))
      setAsking(false)
      await reload()
    })
  const inForce = publications.find(({ number }) => number === published)
  const fields = mistakenFields(checked.problems)

  return (
    <>
      <form onSubmit={(event) => event.preventDefault()} noValidate aria-label={t('Draft')} className="wide">
        {isChanged && <AddedWordings added={added} />}
        <ApprovedFields
          typed={typed}
          checked={checked}
          isReadOnly={!canChange}
          change={(part) => setTyped((now) => ({ ...now, ...part }))}
        />
        {theirs && (
          <Conflict
            theirs={theirs}
            mine={content}
            onUseTheirs={() => {
              setTyped(typedDraft(theirs.content))
              take(theirs)
            }}
          />
        )}
        {fields.length > 0 && <p className="error">{t('Problems stop it from being published: {fields}.', { fields: listOf(fields) })}</p>}
        {canChange && (
          <div className="actions">
            <Button variant="outline" disabled={isBusy} onClick={check}>
              {t('Check')}
            </Button>
            <Button variant="outline" disabled={isBusy || (!isChanged && !theirs)} onClick={save}>
              {theirs ? t('Replace theirs') : t('Save draft')}
            </Button>
            <Button variant="solid" disabled={isBusy || isChanged || checked.problems.length > 0} onClick={() => setAsking(true)}>
              {t('Publish')}
            </Button>
          </div>
        )}
        <p className="muted" role="status">
          {canChange && (isChanged ? t('There are changes that aren’t saved.') : t('Saved.'))}
        </p>
        {!isAsking && <ActionError message={error} />}
      </form>
      {inForce && <ChangesSince version={inForce} content={content} />}
      {isAsking && (
        <Confirm
          question={t('Publish this answer?')}
          explanation={t('Visitors who ask its question get it word for word within about a second. You can roll back at any time.')}
          action={t('Publish')}
          isBusy={isBusy}
          error={error}
          onConfirm={publish}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

function ChangesSince({ version, content }: { version: ApprovedPublication; content: ApprovedDraft }): ReactNode {
  if (isSameDraft(version.content, content)) return null
  return (
    <details>
      <summary>{t('What changed since version {number}', { number: version.number })}</summary>
      <TextDiff before={textOfDraft(version.content)} after={textOfDraft(content)} />
    </details>
  )
}

function AddedWordings({ added }: Pick<DraftProps, 'added'>): ReactNode {
  if (added.length === 0) return null
  return (
    <p className="notice">
      {t.with(
        'Visitors of the topic wrote: {words}. What was missing of this is among the other wordings now. Complete it to questions that mean the same, check, and save.',
        { words: <bdi>{joined(...added)}</bdi> },
      )}
    </p>
  )
}

interface ConflictProps {
  theirs: Draft
  mine: ApprovedDraft
  onUseTheirs(): void
}

/** What somebody else has saved meanwhile, against what is typed. */
function Conflict({ theirs, mine, onUseTheirs }: ConflictProps): ReactNode {
  return (
    <div className="failed" role="alert">
      <p>
        {t.with(
          '{name} has saved something else meanwhile. Yours is still in the fields. Lines with − are theirs alone, lines with + are yours alone. Take over what you need; saving again replaces theirs.',
          { name: <bdi>{theirs.by}</bdi> },
        )}
      </p>
      <TextDiff before={textOfDraft(theirs.content)} after={textOfDraft(mine)} />
      <Button variant="outline" className="small" onClick={onUseTheirs}>
        {t('Use theirs')}
      </Button>
    </div>
  )
}
