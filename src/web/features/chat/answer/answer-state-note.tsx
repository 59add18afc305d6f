import type { ReactNode } from 'react'
import type { ChatMessage } from '../../../../contract/message.ts'
import { t } from '../../../language/translate.ts'
import { useConfiguration } from '../../../state/configuration.ts'

/** Says below an answer that it leaves the question open, and where else to ask; `null` for other answers. */
export function AnswerStateNote({ message }: { message: ChatMessage }): ReactNode {
  const contact = useConfiguration((configuration) => configuration?.privacy.contact ?? null)
  const sentence = sentenceOf(message.metadata?.state, contact)
  return sentence === null ? null : (
    <p className="answer-state muted" dir="auto">
      {sentence}
    </p>
  )
}

function sentenceOf(state: string | undefined, contact: string | null): string | null {
  switch (state) {
    case 'not_covered':
      return contact === null ? t('Not covered here.') : t('Not covered here. You can contact {contact}.', { contact })
    case 'out_of_scope':
      return contact === null
        ? t('This assistant doesn’t deal with this topic.')
        : t('This assistant doesn’t deal with this topic. You can contact {contact}.', { contact })
    default:
      return null
  }
}
