import type { ReactNode } from 'react'
import { t } from '../../ui/language/translate.ts'
import { Button } from '../../ui/button.tsx'
import { ActionError } from '../parts/parts.tsx'
import { TextDiff } from '../parts/text-diff.tsx'
import { Conflict } from './conflict.tsx'
import { PublishButton, type PublishWords } from './publish-button.tsx'
import type { Draft } from './use-draft.ts'

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
