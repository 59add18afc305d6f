import { type ReactNode, Suspense, useState } from 'react'
import type { ChatMessagePart } from '../../../../contract/message.ts'
import { durationOf } from '../../../../contract/parts/reasoning.ts'
import { approvalRequestParts, type ToolPart, toolNameOf } from '../../../../contract/parts/tool.ts'
import { t, useTranslate } from '../../../language/translate.ts'
import { Icon } from '../../../ui/icon.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { GROWING } from '../../../ui/markdown/growing-markdown.ts'
import { Markdown } from '../../../ui/markdown/markdown.tsx'
import type { StepProps } from './agent-message.tsx'
import { toolTitle } from './shown-tool.tsx'
import { readingOf, readingOfResult } from './tool-reading.ts'
import { ToolReading } from './tool-result.tsx'

// Few tools ask. Away from the network it can be answered later.
const ApprovalRequest = lazyPart(() => import('./approval-request.tsx'))

type Thoughts = Extract<ChatMessagePart, { type: 'reasoning' }>
type StepPart = ToolPart | Thoughts

/** What the agent did before it answered: thought, or used a tool. */
export default function AnswerStep({ part, of, isGrowing, onDecide }: StepProps & { part: StepPart }): ReactNode {
  if (part.type === 'reasoning') return <Reasoning part={part} />
  // All that an answer asks is asked together, below the last of it.
  const isAsking = onDecide && approvalRequestParts(of).at(-1) === part
  return (
    <>
      <ToolStep part={part} isGrowing={isGrowing} />
      {isAsking && (
        <Suspense fallback={null}>
          <ApprovalRequest message={of} onDecide={onDecide} />
        </Suspense>
      )}
    </>
  )
}

function Reasoning({ part }: { part: Thoughts }): ReactNode {
  useTranslate()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className="step" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="chevron" />
        {thoughtsTitle(part)}
      </summary>
      {isOpen && <Markdown text={part.text} growing={part.state === 'streaming' ? GROWING : undefined} />}
    </details>
  )
}

function thoughtsTitle(part: Thoughts): string {
  if (part.state === 'streaming') return t('Thinking…')
  const durationMs = durationOf(part)
  if (durationMs === undefined) return t('Thoughts')
  return t.plural(Math.max(1, Math.round(durationMs / 1000)), 'Thought for {count} second', 'Thought for {count} seconds')
}

/** A tool that the agent used: one line, with its input and result to unfold. */
function ToolStep({ part, isGrowing }: { part: ToolPart; isGrowing: boolean }): ReactNode {
  useTranslate()
  // What came of it is said in the answer that follows.
  if (part.state === 'approval-responded' && !isGrowing) return null
  return (
    <details className="step">
      <summary>
        <Icon name="chevron" />
        {toolTitle(part)}
        <span className="muted">{toolState(part, isGrowing)}</span>
      </summary>
      <dl>
        {part.input !== undefined && (
          <>
            <dt>{t('Input')}</dt>
            <dd dir="auto">
              <ToolReading reading={readingOf(part.input)} />
            </dd>
          </>
        )}
        {part.state === 'output-available' && (
          <>
            <dt>{t('Result')}</dt>
            {/* A region that scrolls must be reachable by keyboard. */}
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
            <dd dir="auto" tabIndex={0}>
              <ToolReading reading={readingOfResult(toolNameOf(part), part.output)} />
            </dd>
          </>
        )}
        {part.state === 'output-error' && (
          <>
            <dt>{t('Error')}</dt>
            <dd dir="auto">{part.errorText}</dd>
          </>
        )}
      </dl>
    </details>
  )
}

function toolState({ state }: ToolPart, isGrowing: boolean): string {
  if (state === 'output-available') return ''
  if (state === 'output-error') return t('failed')
  if (state === 'approval-requested') return t('needs permission')
  if (state === 'output-denied') return t('not allowed')
  return isGrowing ? t('working…') : t('incomplete')
}
