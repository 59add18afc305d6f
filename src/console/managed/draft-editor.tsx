import { type ReactNode, useState } from 'react'
import { t } from '../../ui/language/translate.ts'
import { Button } from '../../ui/button.tsx'
import { ActionError, Confirm, SmallButton } from '../parts/parts.tsx'
import { TextDiff } from '../parts/text-diff.tsx'
import type { Draft } from './use-draft.ts'
import { call, Rejected } from '../api.ts'
import { useStaff } from '../staff-context.ts'
import { useAction } from '../use-call.ts'

interface EditorProps<Content, Problem> {
  draft: Draft<Content, Problem>
  textOf: (content: Content) => string
  inForce: { number: number; text: string } | undefined
  /** Path of the thing in the staff API. */
  path: string
  words: PublishWords
  canChange: boolean
  children: ReactNode
}

/** The form of a draft, with what it takes to check, save and publish it. */
export function DraftEditor<Content, Problem>(props: EditorProps<Content, Problem>): ReactNode {
  const { draft, textOf, inForce, path, words, canChange, children } = props
  const { content, base, checked, theirs, isChanged, isBusy, error } = draft
  const text = textOf(content)
  return (
    <>
      <form onSubmit={(event) => event.preventDefault()} noValidate aria-label={t('Draft')} className="wide">
        {children}
        <Conflict draft={draft} textOf={textOf} />
        {canChange && (
          <div className="actions">
            <Button variant="outline" disabled={isBusy} onClick={draft.check}>
              {t('Check')}
            </Button>
            <Button variant="outline" disabled={isBusy || (!isChanged && !theirs)} onClick={() => draft.save()}>
              {theirs ? t('Replace theirs') : t('Save draft')}
            </Button>
            <PublishButton
              path={path}
              revision={base.revision}
              words={words}
              save={() => isChanged && draft.save()}
              isSaving={isBusy}
              isDisabled={isBusy || Boolean(theirs) || (!isChanged && checked.problems.length > 0)}
            />
          </div>
        )}
        <p className="muted" role="status">
          {canChange && (isChanged ? t('There are changes that aren’t saved.') : t('Saved.'))}
        </p>
        <ActionError message={error} />
      </form>
      {inForce && inForce.text !== text && (
        <details>
          <summary>{t('What changed since version {number}', { number: inForce.number })}</summary>
          <TextDiff before={inForce.text} after={text} />
        </details>
      )}
    </>
  )
}

/** Rejections of a draft that owners can publish anyway. */
const UNEVALUATED = ['agent_not_evaluated', 'evaluation_failed']

interface PublishWords {
  publishQuestion: string
  publishEffect: string
  /** Sentence to accept first. */
  publishAccept?: string | undefined
}

interface PublishProps {
  path: string
  revision: number
  words: PublishWords
  isDisabled: boolean
  /** Saves what has changed; called first. */
  save: () => void
  isSaving: boolean
}

/** Publishes a draft. If its evaluation is in the way, an owner is asked whether to publish it anyway. */
function PublishButton({ path, revision, words, isDisabled, save, isSaving }: PublishProps): ReactNode {
  const { may } = useStaff()
  const [isAsking, setAsking] = useState(false)
  const [blocked, setBlocked] = useState('')
  const { run, isBusy, error } = useAction()
  const publish = () =>
    run(async () => {
      try {
        const anyway = blocked !== '' && { anyway: true }
        await call('POST', `${path}/publication`, { revision, ...anyway })
      } catch (cause) {
        const mayIgnore = cause instanceof Rejected && UNEVALUATED.includes(cause.code) && may('publish-anyway')
        if (!mayIgnore) throw cause
        return setBlocked(cause.message)
      }
      setAsking(false)
    })
  return (
    <>
      <Button
        variant="solid"
        disabled={isDisabled}
        onClick={() => {
          save()
          setBlocked('')
          setAsking(true)
        }}
      >
        {t('Publish')}
      </Button>
      {isAsking && (
        <Confirm
          question={blocked === '' ? words.publishQuestion : t('Publish it anyway?')}
          explanation={
            blocked === '' ? words.publishEffect : `${blocked} ${t('As an owner, you can publish it anyway; the audit log says so.')}`
          }
          accept={words.publishAccept}
          action={blocked === '' ? t('Publish') : t('Publish anyway')}
          isBusy={isBusy || isSaving}
          error={error}
          onConfirm={publish}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

interface ConflictProps<Content, Problem> {
  draft: Pick<Draft<Content, Problem>, 'content' | 'theirs' | 'useTheirs'>
  textOf: (content: Content) => string
}

/** Compares what somebody else has saved meanwhile with what is typed. */
export function Conflict<Content, Problem>({ draft: { content, theirs, useTheirs }, textOf }: ConflictProps<Content, Problem>): ReactNode {
  if (!theirs) return null
  return (
    <div className="failed agents" role="alert">
      <p>
        {t.with(
          '{name} has saved something else meanwhile. Yours is still in the fields. Lines with − are theirs alone, lines with + are yours alone. Take over what you need; saving again replaces theirs.',
          { name: <bdi>{theirs.by ?? t('Someone')}</bdi> },
        )}
      </p>
      <TextDiff before={textOf(theirs.content)} after={textOf(content)} />
      <SmallButton onClick={useTheirs}>{t('Use theirs')}</SmallButton>
    </div>
  )
}
