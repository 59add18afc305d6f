import { lazy, memo, type ReactNode, Suspense, useState } from 'react'
import { type ChatMessage, filesOf, textOf } from '../../../contract/message.ts'
import { useSay } from '../../language/say.ts'
import type { MessagePlace } from './message-place.ts'

// Away from the network the text is shown without them.
const PromptActions = lazy(() => import('./prompt-actions.tsx').catch(() => ({ default: () => null })))

const MessageFiles = lazy(() => import('./message-files.tsx').catch(() => ({ default: () => null })))

/** What the visitor wrote, as it was written. */
export const HumanMessage = memo(function HumanMessage({ message, place }: { message: ChatMessage; place: MessagePlace }): ReactNode {
  const say = useSay()
  const [isEditing, setEditing] = useState(false)
  const files = filesOf(message)
  return (
    <article className="message human" aria-label={say('You')}>
      {files.length > 0 && (
        <Suspense fallback={null}>
          <MessageFiles files={files} />
        </Suspense>
      )}
      {!isEditing && (
        <div className="bubble" dir="auto">
          {textOf(message)}
        </div>
      )}
      <div className="actions">
        <Suspense fallback={null}>
          <PromptActions message={message} place={place} isEditing={isEditing} onEditing={setEditing} />
        </Suspense>
      </div>
    </article>
  )
})
