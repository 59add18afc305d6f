import type { ReactNode } from 'react'
import { t } from '../../ui/language/translate.ts'
import { SmallButton } from '../parts/parts.tsx'
import { TextDiff } from '../parts/text-diff.tsx'
import type { Draft } from './use-draft.ts'

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
