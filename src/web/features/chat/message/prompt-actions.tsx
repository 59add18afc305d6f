import { type KeyboardEvent, type ReactNode, type RefObject, type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { MAX_PROMPT_CHARACTERS } from '../../../../contract/size-limits.ts'
import type { ChatMessage } from '../../../../contract/chat/message.ts'
import { t } from '../../../../ui/language/translate.ts'
import { Button, IconButton } from '../../../../ui/button.tsx'
import { CopyButton } from '../../../../ui/copy-button.tsx'
import { useChatMode } from '../chat-mode.ts'
import './message-actions.css'
import type { ScrollControls } from './scroll-controls.ts'
import { sendEdited } from '../chat-actions.ts'
import { VersionSwitch } from './version-switch.tsx'

interface PromptActionsProps {
  message: ChatMessage
  /** Its text as it is shown. */
  text: string
  scroll: ScrollControls
  isEditing: boolean
  onEditing(isEditing: boolean): void
}

export default function PromptActions({ message, text, scroll, isEditing, onEditing }: PromptActionsProps): ReactNode {
  const { isSending, isTemporary } = useChatMode()
  const button = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(false)
  const [unsent, setUnsent] = useState<string | null>(null)
  useEffect(() => {
    if (wasEditing.current && !isEditing) button.current?.focus({ preventScroll: true })
    wasEditing.current = isEditing
  }, [isEditing])
  // A prompt that is not stored yet can only return to the composer.
  if (!isStored(message)) return null
  if (isEditing) {
    const send = (prompt: string) => {
      onEditing(false)
      setUnsent(null)
      sendEdited(message.id, prompt, () => {
        setUnsent(prompt)
        onEditing(true)
      })
      scroll.showPrompt()
    }
    const cancel = () => {
      setUnsent(null)
      onEditing(false)
    }
    return <EditForm text={unsent ?? text} canSend={!isSending} onSend={send} onCancel={cancel} />
  }
  return (
    <div className={message.metadata?.version ? 'message-actions shown' : 'message-actions'}>
      <CopyButton text={() => text} label={t('Copy message')} />
      {/* The server stores no prompts of a temporary chat. */}
      {!isTemporary && (
        <IconButton
          ref={button}
          icon="edit"
          className="small"
          label={t('Edit message')}
          disabled={isSending}
          onClick={() => onEditing(true)}
        />
      )}
      <VersionSwitch message={message} scroll={scroll} />
    </div>
  )
}

const isStored = ({ id }: ChatMessage) => id.startsWith('m_')

interface EditFormProps {
  text: string
  canSend: boolean
  onSend(prompt: string): void
  onCancel(): void
}

/** Form that edits a prompt: Enter sends, Shift+Enter adds a line, Escape cancels. */
function EditForm({ text, canSend, onSend, onCancel }: EditFormProps): ReactNode {
  const [edited, setEdited] = useState(text)
  const area = useRef<HTMLTextAreaElement>(null)
  useFocusAtEnd(area)
  const prompt = edited.trim()
  const isTooLong = prompt.length > MAX_PROMPT_CHARACTERS && [...prompt].length > MAX_PROMPT_CHARACTERS
  const isReady = canSend && prompt !== '' && !isTooLong
  const send = () => {
    if (isReady) onSend(prompt)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      event.stopPropagation()
      onCancel()
    }
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    send()
  }
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    send()
  }
  return (
    <form className="edit-prompt" onSubmit={onSubmit}>
      <textarea
        ref={area}
        value={edited}
        dir="auto"
        aria-label={t('Edit message')}
        aria-invalid={isTooLong}
        onChange={(event) => setEdited(event.target.value)}
        onKeyDown={onKey}
      />
      <p className="muted">{t('Your original stays available.')}</p>
      <Button variant="outline" className="small" onClick={onCancel}>
        {t('Cancel')}
      </Button>
      <Button variant="solid" type="submit" className="small" disabled={!isReady}>
        {t('Send')}
      </Button>
    </form>
  )
}

function useFocusAtEnd(area: RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    area.current?.focus({ preventScroll: true })
    area.current?.setSelectionRange(area.current.value.length, area.current.value.length)
  }, [area])
}
