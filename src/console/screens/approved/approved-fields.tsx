import { type ReactNode, useId } from 'react'
import { PAGE_LANGUAGES } from '../../../contract/page-languages.ts'
import type { ApprovedDraft, ApprovedField, ApprovedProblem } from '../../../contract/staff/content/approved-answers.ts'
import { MarkdownPreview } from '../../parts/markdown-preview.tsx'
import { binding, Choices, Details, TextAreaField, TextField } from '../../parts/parts.tsx'
import { fieldName, problemsOf, type TypedDraft } from './approved-draft.ts'
import { t } from '../../../ui/language/translate.ts'
import { languageName } from '../../format.ts'

interface FieldsProps {
  typed: TypedDraft
  checked: { draft: ApprovedDraft; problems: readonly ApprovedProblem[] } | null
  isReadOnly: boolean
  change(part: Partial<TypedDraft>): void
  isOpen?: boolean
  children?: ReactNode
}

type TextKey = Exclude<ApprovedField, 'languages'>

const DETAILS: readonly ApprovedField[] = ['matches', 'mustNotMatch', 'languages', 'sourceUrl', 'owner', 'validFrom', 'validUntil']

export function ApprovedFields({ typed, checked, isReadOnly, change, isOpen = false, children }: FieldsProps): ReactNode {
  const mistakeOf = (field: ApprovedField) => (checked ? problemsOf(field, checked.problems, checked.draft) : undefined)
  const bound = binding<TextKey>(typed, change)
  const of = (field: TextKey) => ({ label: fieldName(field), error: mistakeOf(field), readOnly: isReadOnly, ...bound(field) })
  return (
    <>
      <TextField {...of('question')} hint={t('As visitors ask it.')} dir="auto" />
      <TextAreaField {...of('text')} hint={t('Markdown. Visitors read it word for word.')} dir="auto" rows={8} />
      <details>
        <summary>{t('Preview')}</summary>
        <MarkdownPreview text={typed.text} />
      </details>
      <TextField {...of('sourceTitle')} hint={t('What the answer rests on. Visitors read it below the answer.')} dir="auto" />
      <Details isNeeded={isOpen || (checked?.problems.some(({ field }) => DETAILS.includes(field)) ?? false)}>
        <TextAreaField {...of('matches')} hint={t('One per line. They are tested: each must get this answer.')} dir="auto" rows={4} />
        <TextAreaField
          {...of('mustNotMatch')}
          hint={t('Prompts that resemble the question and ask something else, one per line. None may get this answer.')}
          dir="auto"
          rows={3}
        />
        <Languages label={fieldName('languages')} error={mistakeOf('languages')} typed={typed} isReadOnly={isReadOnly} change={change} />
        <TextField {...of('sourceUrl')} hint={t('Optional, an http or https address.')} dir="ltr" inputMode="url" />
        <TextField {...of('owner')} hint={t('Who answers for it: a person or a department. Visitors don’t see it.')} dir="auto" />
        <TextField
          {...of('validFrom')}
          hint={t('The first day on which it answers, in UTC. Visitors read it as the day of approval.')}
          type="date"
        />
        <TextField {...of('validUntil')} hint={t('The last day on which it is used, in UTC.')} type="date" />
        {children}
      </Details>
    </>
  )
}

interface LanguagesProps extends Omit<FieldsProps, 'checked'> {
  label: string
  error: string | undefined
}

function Languages({ label, error, typed, isReadOnly, change }: LanguagesProps): ReactNode {
  const id = useId()
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined}>
      <legend>{label}</legend>
      <p className="muted">{t('Languages of the question and its wordings.')}</p>
      <div className="choices">
        <Choices
          all={PAGE_LANGUAGES}
          chosen={typed.languages}
          nameOf={languageName}
          isDisabled={isReadOnly}
          onChange={(languages) => change({ languages })}
        />
      </div>
      {error && (
        <p id={`${id}-error`} className="error">
          {error}
        </p>
      )}
    </fieldset>
  )
}
