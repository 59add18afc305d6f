import type { ReactNode } from 'react'
import { Field } from '../../parts/parts.tsx'
import type { Mistakes } from '../../use-call.ts'
import { t } from '../../../ui/language/translate.ts'

export interface DocumentFacts {
  owner: string
  title: string
  language: string
  validUntil: string
}

export const NO_FACTS: DocumentFacts = { owner: '', title: '', language: '', validUntil: '' }

export function factMistakes({ owner, language }: DocumentFacts): Mistakes<keyof DocumentFacts> {
  return {
    ...(owner.trim() === '' && { owner: t('Enter who answers for the document.') }),
    ...(!/^([a-z]{2,3}(-[A-Za-z0-9]{2,8})*)?$/.test(language.trim()) && { language: t('Enter a tag such as en or pt-BR.') }),
  }
}

export function uploadQuery(name: string, { owner, title, language, validUntil }: DocumentFacts): string {
  return new URLSearchParams({ name, owner: owner.trim(), title, language: language.trim(), validUntil }).toString()
}

interface FactFieldsProps {
  facts: DocumentFacts
  mistakes: Mistakes<keyof DocumentFacts>
  change(part: Partial<DocumentFacts>): void
}

export function FactFields({ facts, mistakes, change }: FactFieldsProps): ReactNode {
  return (
    <>
      <Field label={t('Owner')} hint={t('Who answers for it: a person or a department.')} error={mistakes.owner}>
        {(ids) => (
          <input {...ids} dir="auto" maxLength={200} value={facts.owner} onChange={({ target }) => change({ owner: target.value })} />
        )}
      </Field>
      <Field label={t('Title (optional)')} hint={t('Shown to visitors as the source. If empty, the document’s own title.')}>
        {(ids) => (
          <input {...ids} dir="auto" maxLength={200} value={facts.title} onChange={({ target }) => change({ title: target.value })} />
        )}
      </Field>
      <Field label={t('Language (optional)')} hint={t('A tag, such as en or pt-BR.')} error={mistakes.language}>
        {(ids) => <input {...ids} maxLength={20} value={facts.language} onChange={({ target }) => change({ language: target.value })} />}
      </Field>
      <Field label={t('Valid until (optional)')} hint={t('The last day on which it is used, in UTC.')}>
        {(ids) => <input {...ids} type="date" value={facts.validUntil} onChange={({ target }) => change({ validUntil: target.value })} />}
      </Field>
    </>
  )
}
