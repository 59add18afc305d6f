import { type ReactNode, type ToggleEvent, useState } from 'react'
import { readText } from '../../api.ts'
import { ActionError } from '../../parts.tsx'
import { TextDiff } from '../../text-diff.tsx'
import { useAction } from '../../use-call.ts'
import { t } from '../../../web/language/translate.ts'

interface VersionChangesProps {
  /** Of the uploaded document. */
  id: string
  /** Of the earlier version. */
  number: number
  /** What answers now. */
  text: string
}

/** What has changed since an earlier version of a text document, which is read when somebody asks. */
export function VersionChanges({ id, number, text }: VersionChangesProps): ReactNode {
  const [before, setBefore] = useState<string | null>(null)
  const { run, isBusy, error } = useAction()
  const open = ({ newState }: ToggleEvent<HTMLDetailsElement>) => {
    if (newState === 'open' && before === null && !isBusy)
      run(async () => setBefore(await readText(`knowledge/uploads/${id}/versions/${number}/content`)))
  }
  return (
    <details onToggle={open}>
      <summary>{t('What changed since version {number}', { number })}</summary>
      {before === null ? isBusy && <p className="muted">{t('Loading')}</p> : <TextDiff before={before} after={text} />}
      <ActionError message={error} />
    </details>
  )
}
