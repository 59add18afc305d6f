import type { ReactNode } from 'react'
import type { ManagedAgentView } from '../../../contract/staff/agents.ts'
import { t } from '../../../web/language/translate.ts'
import { Publications } from '../../publications.tsx'

interface HistoryProps {
  view: ManagedAgentView
  canChange: boolean
  reload: () => Promise<void>
}

/** The published versions of an agent. */
export function History({ view: { id, publications, published }, canChange, reload }: HistoryProps): ReactNode {
  const words = {
    withdrawQuestion: t('Withdraw this agent?'),
    withdrawEffect: t('Its chats continue with the first agent. Its versions are kept.'),
    delete: t('Delete this agent'),
    deleteQuestion: t('Delete this agent?'),
    rollBackEffect: t('Its text is published again as a new version. The draft stays as it is.'),
  }
  return (
    <Publications path={`agents/${id}`} list="#/agents" {...{ publications, published, canChange, reload, words }}>
      {({ evaluation, text }) => (
        <>
          <p className="muted">
            {evaluation
              ? t('Evaluated: {count} of {total} cases right.', { count: evaluation.right, total: evaluation.total })
              : t('Published without an evaluation.')}
          </p>
          <details>
            <summary>{t('Text')}</summary>
            <pre dir="auto">{text}</pre>
          </details>
        </>
      )}
    </Publications>
  )
}
