import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { MAX_TITLE_CHARACTERS } from '../../../contract/size-limits.ts'
import { useTranslate } from '../../language/translate.ts'

interface RenameFieldProps {
  title: string
  /** Called once with the new name, or with null if unchanged. */
  onEnd(name: string | null): void
}

/** Renames a session. Enter and blur save, Escape cancels. */
export function RenameField({ title, onEnd }: RenameFieldProps): ReactNode {
  const t = useTranslate()
  const hasEnded = useRef(false)
  const end = (name: string | null) => {
    if (hasEnded.current) return
    hasEnded.current = true
    onEnd(name?.trim() || null)
  }
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    // Enter that ends an IME composition only chooses a word.
    if (event.nativeEvent.isComposing || !['Enter', 'Escape'].includes(event.key)) return
    event.preventDefault()
    event.stopPropagation()
    end(event.key === 'Enter' ? event.currentTarget.value : null)
  }
  return (
    <input
      ref={selectWhole}
      className="rename"
      aria-label={t('Chat name')}
      defaultValue={title}
      maxLength={MAX_TITLE_CHARACTERS}
      dir="auto"
      onKeyDown={onKey}
      onBlur={(event) => end(event.currentTarget.value)}
    />
  )
}

const selectWhole = (field: HTMLInputElement | null) => field?.select()
