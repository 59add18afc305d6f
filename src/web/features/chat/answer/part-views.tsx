import type { PartViewProps } from './part-view-props.ts'
import type { ReactNode } from 'react'
import { kindOf, type PartKind, type PartTypes } from '../../../../contract/chat/parts/part-kinds.ts'
import { unmask } from '../../../../personal-data/unmask.ts'
import { useApplication } from '../../../state/application-store.ts'
import { useValuesOf } from '../../../state/personal-values.ts'
import { lazyPart } from '../../../../ui/lazy-part.ts'
import { STREAMING } from '../../../../ui/markdown/streaming-markdown.ts'
import { Markdown } from '../../../../ui/markdown/markdown.tsx'

// Offline, the text is shown without them.
const ReasoningStep = lazyPart(() => import('./reasoning-step.tsx'))
const ToolStep = lazyPart(() => import('./tool-step.tsx'))

/** How an answer shows each kind of part among its parts; null for kinds that it shows below its text, or not at all. Functions without hooks. */
const PART_VIEWS = {
  text: (props) => <AnswerText {...props} />,
  reasoning: ({ part }) => (part.text === '' ? null : <ReasoningStep part={part} />),
  tool: (props) => <ToolStep {...props} />,
  'step-start': null,
  file: null,
  'source-url': null,
  'source-document': null,
  'data-topics': null,
} satisfies { [Kind in PartKind]: ((props: PartViewProps<PartTypes[Kind]>) => ReactNode) | null }

/** Text with the values of placeholders that this tab knows. */
function AnswerText({ part, isStreaming }: PartViewProps<PartTypes['text']>): ReactNode {
  const values = useValuesOf(useApplication(({ currentSession }) => currentSession?.key ?? ''))
  return <Markdown text={unmask(part.text, values)} streaming={isStreaming && part.state !== 'done' ? STREAMING : undefined} />
}

export function PartView(props: PartViewProps): ReactNode {
  const kind = kindOf(props.part)
  const render = kind && (PART_VIEWS[kind] as ((props: PartViewProps) => ReactNode) | null)
  return render?.(props)
}
