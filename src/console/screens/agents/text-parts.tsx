import type { ReactNode } from 'react'
import type { AgentMistake } from '../../../contract/staff/agents.ts'
import { t } from '../../../web/language/translate.ts'
import { Button } from '../../../web/ui/button.tsx'
import { TextDiff } from '../../text-diff.tsx'

interface ConflictProps {
  theirs: { by: string | null; text: string }
  text: string
  onUseTheirs(): void
}

/** What somebody else has saved meanwhile, against what is typed. */
export function Conflict({ theirs, text, onUseTheirs }: ConflictProps): ReactNode {
  return (
    <div className="failed" role="alert">
      <p>
        {t.with(
          '{name} has saved another text meanwhile. Yours is still in the field. Lines with − are theirs alone, lines with + are yours alone. Take over what you need; saving again replaces their text.',
          { name: <bdi>{theirs.by ?? t('Somebody')}</bdi> },
        )}
      </p>
      <TextDiff before={theirs.text} after={text} />
      <Button variant="outline" className="small" onClick={onUseTheirs}>
        {t('Use their text')}
      </Button>
    </div>
  )
}

/** What is wrong in a text, by line. */
export function Mistakes({ mistakes }: { mistakes: readonly AgentMistake[] }): ReactNode {
  if (mistakes.length === 0) return null
  return (
    <ul className="problems">
      {mistakes.map(({ line, message }) => (
        <li key={`${line} ${message}`}>{t.with('Line {number}: {message}', { number: t.number(line), message: <bdi>{message}</bdi> })}</li>
      ))}
    </ul>
  )
}
