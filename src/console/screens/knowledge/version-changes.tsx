import { type ReactNode, type ToggleEvent, useState } from 'react'
import { readText } from '../../api.ts'
import { ActionError } from '../../parts/parts.tsx'
import { TextDiff } from '../../parts/text-diff.tsx'
import { useAction } from '../../use-call.ts'
import { t } from '../../../ui/language/translate.ts'

interface VersionChangesProps {
  /** Id of the uploaded document. */
  id: string
  /** Number of the earlier version. */
  number: number
  /** Text that answers now. */
  text: string
}

/** Differences to an earlier version of a text document, loaded on demand. */
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
