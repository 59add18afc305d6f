import type { ReactNode } from 'react'
import type { ManagedApprovedAnswer } from '../../../contract/staff/approved-answers.ts'
import { t } from '../../../web/language/translate.ts'
import { Publications } from '../../publications.tsx'
import { textOfDraft } from './approved-draft.ts'

interface VersionsProps {
  view: ManagedApprovedAnswer
  canChange: boolean
  reload: () => Promise<void>
}

/** The published versions of an approved answer. */
export function Versions({ view: { id, publications, published }, canChange, reload }: VersionsProps): ReactNode {
  const words = {
    withdrawQuestion: t('Withdraw this answer?'),
    withdrawEffect: t('Its question is answered as any other. Its versions are kept.'),
    delete: t('Delete this answer'),
    deleteQuestion: t('Delete this answer?'),
    rollBackEffect: t('It is published again as a new version. The draft stays as it is.'),
  }
  return (
    <Publications path={`approved-answers/${id}`} list="#/approved" {...{ publications, published, canChange, reload, words }}>
      {({ content }) => (
        <details>
          <summary>{t('Content')}</summary>
          <pre dir="auto">{textOfDraft(content)}</pre>
        </details>
      )}
    </Publications>
  )
}
