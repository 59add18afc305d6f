import { memo, type ReactNode } from 'react'
import { type ChatMessage, textOf } from '../../../contract/message.ts'
import { useSay } from '../../language/say.ts'

/** What the visitor wrote, as it was written. */
export const HumanMessage = memo(function HumanMessage({ message }: { message: ChatMessage }): ReactNode {
  const say = useSay()
  return (
    <article className="message human" aria-label={say('You')}>
      <div className="bubble" dir="auto">
        {textOf(message)}
      </div>
    </article>
  )
})
