import type { ReactNode } from 'react'
import type { ChatMessage, MessageMetadata } from '../../../../contract/message.ts'
import { t } from '../../../language/translate.ts'
import { useConfiguration } from '../../../state/configuration.ts'

/** Says below an answer that staff approved it, or that it leaves the question open and where else to ask; `null` for other answers. */
export function AnswerStateNote({ message }: { message: ChatMessage }): ReactNode {
  const contact = useConfiguration((configuration) => configuration?.privacy.contact ?? null)
  // A fixed reply names the way on itself.
  const sentence = message.metadata?.fixedReply ? approvalOf(message.metadata) : sentenceOf(message.metadata?.state, contact)
  return sentence === null ? null : (
    <p className="answer-state muted" dir="auto">
      {sentence}
    </p>
  )
}

function approvalOf({ fixedReply, approvedOn = '' }: MessageMetadata): string | null {
  if (fixedReply !== 'approved' || Number.isNaN(Date.parse(approvedOn))) return null
  return t('Approved answer, {day}', { day: t.time(approvedOn, { dateStyle: 'long', timeZone: 'UTC' }) })
}

function sentenceOf(state: string | undefined, contact: string | null): string | null {
  switch (state) {
    case 'not_covered':
      return contact === null ? t('Not covered here.') : t('Not covered here. You can contact {contact}.', { contact })
    case 'out_of_scope':
      return contact === null
        ? t('This assistant can’t help with this topic.')
        : t('This assistant can’t help with this topic. You can contact {contact}.', { contact })
    default:
      return null
  }
}
