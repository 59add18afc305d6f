import { memo, type ReactNode, useState } from 'react'
import type { ChatMessage } from '../../../../contract/chat/message.ts'
import { textOf } from '../../../../contract/chat/message-text.ts'
import { unmask } from '../../../../personal-data/unmask.ts'
import { filesOf } from '../../../../contract/chat/parts/file.ts'
import { useTranslate } from '../../../../ui/language/translate.ts'
import { useApplication } from '../../../state/application-store.ts'
import { useValuesOf } from '../../../state/personal-values.ts'
import type { ScrollControls } from './scroll-controls.ts'
import { lazyPart } from '../../../../ui/lazy-part.ts'

// Offline, the text is shown without them.
const PromptActions = lazyPart(() => import('./prompt-actions.tsx'))

const MessageFiles = lazyPart(() => import('./message-files.tsx'))

/** A prompt with its files. Its text is shown verbatim, not as Markdown. */
export const HumanMessage = memo(function HumanMessage({ message, scroll }: { message: ChatMessage; scroll: ScrollControls }): ReactNode {
  const t = useTranslate()
  const [isEditing, setEditing] = useState(false)
  const files = filesOf(message)
  const values = useValuesOf(useApplication(({ currentSession }) => currentSession?.key ?? ''))
  const text = unmask(textOf(message), values)
  return (
    <article className="message human" aria-label={t('You')}>
      {files.length > 0 && <MessageFiles files={files} />}
      {!isEditing && (
        <div className="bubble" dir="auto">
          {text}
        </div>
      )}
      <div className="actions">
        <PromptActions message={message} text={text} scroll={scroll} isEditing={isEditing} onEditing={setEditing} />
      </div>
    </article>
  )
})
