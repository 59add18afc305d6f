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

// Offline, the whole text is shown.
const LongPrompt = lazyPart(() => import('./long-prompt.tsx'), Bubble, FoldedBubble)

/** Longer prompts are folded. */
const LONG = { characters: 1_500, lines: 20 }

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
      {!isEditing && (isLong(text) ? <LongPrompt text={text} /> : <Bubble text={text} />)}
      <div className="actions">
        <PromptActions message={message} text={text} scroll={scroll} isEditing={isEditing} onEditing={setEditing} />
      </div>
    </article>
  )
})

const isLong = (text: string): boolean => text.length > LONG.characters || text.split('\n', LONG.lines + 1).length > LONG.lines

function Bubble({ text, className = 'bubble' }: { text: string; className?: string }): ReactNode {
  return (
    <div className={className} dir="auto">
      {text}
    </div>
  )
}

function FoldedBubble({ text }: { text: string }): ReactNode {
  return <Bubble text={text} className="bubble folded" />
}
