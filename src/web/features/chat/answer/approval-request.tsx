import { type ReactNode, useId } from 'react'
import type { ApprovalDecision } from '../../../../contract/chat/approval.ts'
import type { ChatMessage } from '../../../../contract/chat/message.ts'
import { approvalRequestParts } from '../../../../contract/chat/parts/tool.ts'
import { t } from '../../../../ui/language/translate.ts'
import type { Retry } from '../../../state/chat-session.ts'
import { Button } from '../../../../ui/button.tsx'
import './approval-request.css'
import { RawValue, toolTitle } from './tool-title.tsx'

interface ApprovalRequestProps {
  /** An answer that ended with approval requests. */
  message: ChatMessage
  onDecide(way: Retry): void
}

/** Asks the visitor to approve tool calls, and shows the exact input of each. */
export default function ApprovalRequest({ message, onDecide }: ApprovalRequestProps): ReactNode {
  const id = useId()
  const requests = approvalRequestParts(message)
  const turn = message.metadata?.turnId
  const isExpired = requests.some(
    ({ approval }) => Date.parse(String((approval.descriptor as { expiresAt?: unknown })?.expiresAt)) < Date.now(),
  )
  const decide = (approved: boolean) => {
    const decisions = requests.map(({ approval }): ApprovalDecision => ({ id: approval.id, approved, signature: approval.signature ?? '' }))
    if (turn) onDecide({ turn, how: 'approve', body: { decisions } })
  }
  return (
    <section className="approval" aria-labelledby={id}>
      <h3 id={id}>{t('Permission required')}</h3>
      <p className="muted">{t('Nothing has been sent yet. This is what would be sent:')}</p>
      <dl>
        {requests.map((part) => (
          <div key={part.toolCallId}>
            <dt>{toolTitle(part)}</dt>
            <RawValue value={part.input} />
          </div>
        ))}
      </dl>
      {isExpired ? (
        <p role="status">{t('This request has expired. Ask for it again.')}</p>
      ) : (
        <p className="ways">
          <Button variant="solid" className="small" onClick={() => decide(true)}>
            {t('Allow')}
          </Button>
          <Button variant="outline" className="small" onClick={() => decide(false)}>
            {t('Don’t allow')}
          </Button>
        </p>
      )}
    </section>
  )
}
