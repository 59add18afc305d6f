import type { ReactNode } from 'react'
import { approvalRequestParts, type ToolPart } from '../../../../contract/chat/parts/tool.ts'
import { t } from '../../../../ui/language/translate.ts'
import { Icon } from '../../../../ui/icon.tsx'
import { lazyPart } from '../../../../ui/lazy-part.ts'
import type { PartViewProps } from './part-view-props.ts'
import { textOfValue, toolTitle } from './tool-title.tsx'

const MAX_SHOWN_CHARACTERS = 2_000

// Few tools need approval. Offline, the decision can wait.
const ApprovalRequest = lazyPart(() => import('./approval-request.tsx'))

/** A tool call, and below the last call that needs approval the request for all of them. */
export default function ToolStep({ part, message, isStreaming, onDecide }: PartViewProps<ToolPart>): ReactNode {
  const showsApproval = onDecide && approvalRequestParts(message).at(-1) === part
  return (
    <>
      <ToolCall part={part} isStreaming={isStreaming} />
      {showsApproval && <ApprovalRequest message={message} onDecide={onDecide} />}
    </>
  )
}

/** A collapsed line with the tool's title; unfolds its input and result. */
function ToolCall({ part, isStreaming }: { part: ToolPart; isStreaming: boolean }): ReactNode {
  // The answer that follows shows the call with its result.
  if (part.state === 'approval-responded' && !isStreaming) return null
  return (
    <details className="step">
      <summary>
        <Icon name="chevron" />
        {toolTitle(part)}
        <span className="muted">{toolState(part, isStreaming)}</span>
      </summary>
      <dl>
        {part.input !== undefined && (
          <>
            <dt>{t('Input')}</dt>
            <dd dir="auto">{shown(part.input)}</dd>
          </>
        )}
        {part.state === 'output-available' && (
          <>
            <dt>{t('Result')}</dt>
            {/* A region that scrolls must be reachable by keyboard. */}
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
            <dd dir="auto" tabIndex={0}>
              {shown(part.output)}
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

/** A value as text, without the note to the model around what others wrote. */
function shown(value: unknown): string {
  const isWrapped = typeof value === 'object' && value !== null && 'notice' in value && 'content' in value
  const text = textOfValue(isWrapped ? value.content : value)
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS).toWellFormed()}…` : text
}

function toolState({ state }: ToolPart, isStreaming: boolean): string {
  if (state === 'output-available') return ''
  if (state === 'output-error') return t('failed')
  if (state === 'approval-requested') return t('needs permission')
  if (state === 'output-denied') return t('not allowed')
  return isStreaming ? t('working…') : t('incomplete')
}
