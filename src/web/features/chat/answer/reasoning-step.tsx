import { type ReactNode, useState } from 'react'
import { durationOf, type ReasoningPart } from '../../../../contract/chat/parts/reasoning.ts'
import { t } from '../../../../ui/language/translate.ts'
import { Icon } from '../../../../ui/icon.tsx'
import { completeMarkdown } from '../../../../ui/markdown/streaming-markdown.ts'
import { Markdown } from '../../../../ui/markdown/markdown.tsx'

export default function ReasoningStep({ part }: { part: ReasoningPart }): ReactNode {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className="step" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="chevron" />
        {titleOf(part)}
      </summary>
      {isOpen && <Markdown text={part.text} complete={part.state === 'streaming' ? completeMarkdown : undefined} />}
    </details>
  )
}

function titleOf(part: ReasoningPart): string {
  if (part.state === 'streaming') return t('Thinking…')
  const durationMs = durationOf(part)
  if (durationMs === undefined) return t('Thoughts')
  return t.plural(Math.max(1, Math.round(durationMs / 1000)), 'Thought for {count} second', 'Thought for {count} seconds')
}
