import { type ReactNode, useEffect, useId, useState } from 'react'
import { t, useTranslate } from '../../../../ui/language/translate.ts'
import { useApplication } from '../../../state/application-store.ts'
import { Button } from '../../../../ui/button.tsx'
import { Icon } from '../../../../ui/icon.tsx'

interface ChatOptionsProps {
  onTemporary(isTemporary: boolean): void
  onSharedComputer(isShared: boolean): void
}

/** The privacy options of a new chat. */
export function ChatOptions({ onTemporary, onSharedComputer }: ChatOptionsProps): ReactNode {
  useTranslate()
  const isTemporary = useApplication((state) => state.isTemporary)
  const isShared = useApplication((state) => state.isSharedComputer)
  return (
    <div className="chips">
      <Button variant="outline" className="small" aria-pressed={isTemporary} onClick={() => onTemporary(!isTemporary)}>
        {t('Temporary chat')}
      </Button>
      <Button variant="outline" className="small" aria-pressed={isShared} onClick={() => onSharedComputer(!isShared)}>
        {t('Shared computer')}
      </Button>
    </div>
  )
}

/** The same behind one button, for phones; in the flow of the page, where they cover no starter. */
export function FoldedChatOptions(props: ChatOptionsProps): ReactNode {
  useTranslate()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    // They are the last thing above the message box, which would cover them.
    if (isOpen) scrollTo(0, document.documentElement.scrollHeight)
  }, [isOpen])
  return (
    <div className="chat-options">
      <Button className="small more" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        {t('Privacy options')}
        <Icon name="chevron" />
      </Button>
      <div id={id} hidden={!isOpen}>
        <ChatOptions {...props} />
      </div>
    </div>
  )
}

/** Shows the active options above the composer. */
export function ChatOptionsLine(): ReactNode {
  useTranslate()
  const isTemporary = useApplication((state) => state.isTemporary)
  const isShared = useApplication((state) => state.isSharedComputer)
  return (
    <p role="status" className={isTemporary ? 'hint temporary' : 'hint'}>
      {isTemporary && `${t('Temporary chat: not saved to your history.')} `}
      {isShared && t('Shared computer: chats are erased when you close or reload this tab.')}
    </p>
  )
}
