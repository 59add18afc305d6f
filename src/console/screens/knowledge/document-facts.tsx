import type { ReactNode } from 'react'
import { binding, TextField } from '../../parts/parts.tsx'
import type { Mistakes } from '../../use-call.ts'
import { t } from '../../../ui/language/translate.ts'

export const NO_FACTS = { owner: '', title: '', language: '', validUntil: '' }
export type DocumentFacts = typeof NO_FACTS

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
  const bound = binding<keyof DocumentFacts>(facts, change)
  const of = (fact: keyof DocumentFacts) => ({ error: mistakes[fact], ...bound(fact) })
  const ofTitle = t('Shown to visitors as the source. If empty, the document’s own title.')
  return (
    <>
      <TextField label={t('Owner')} hint={t('Who answers for it: a person or a department.')} dir="auto" maxLength={200} {...of('owner')} />
      <TextField label={t('Title (optional)')} hint={ofTitle} dir="auto" maxLength={200} {...of('title')} />
      <TextField label={t('Language (optional)')} hint={t('A tag, such as en or pt-BR.')} maxLength={20} {...of('language')} />
      <TextField
        label={t('Valid until (optional)')}
        hint={t('The last day on which it is used, in UTC.')}
        type="date"
        {...of('validUntil')}
      />
    </>
  )
}
