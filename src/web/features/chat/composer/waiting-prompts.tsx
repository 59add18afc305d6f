import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import type { FilePart } from '../../../../contract/chat/parts/file.ts'
import { useTranslate } from '../../../../ui/language/translate.ts'
import { useApplication } from '../../../state/application-store.ts'
import { prependDraft, removeWaiting, useDraft, type WaitingPrompt } from '../../../state/drafts.ts'
import { attachmentOf } from '../../../state/stored-drafts.ts'
import { Button, IconButton } from '../../../../ui/button.tsx'
import { isAnswered } from './is-answered.ts'
import './waiting-prompts.css'

interface WaitingPromptsProps {
  chat: string
  isAnswering: boolean
  onSend(prompt: string, files: FilePart[]): void
  onStop(): void
  area: RefObject<HTMLElement | null>
}

/** The prompts that wait for the answer. Sends the first one when the answer is complete; after a stop or failure, the visitor decides. */
export default function WaitingPrompts({ chat, isAnswering, onSend, onStop, area }: WaitingPromptsProps): ReactNode {
  const t = useTranslate()
  const { waiting = [] } = useDraft(chat)
  /** The prompt for which the visitor has stopped the answer. */
  const [next, setNext] = useState<string | null>(null)
  const send = ({ id, text, files }: WaitingPrompt) => {
    removeWaiting(chat, id)
    onSend(text, [...files])
  }
  useEffect(() => {
    if (isAnswering) return
    const wanted = waiting.find(({ id }) => id === next) ?? (isAnswered(useApplication.getState().currentSession) ? waiting[0] : undefined)
    setNext(null)
    if (wanted) send(wanted)
    // Only the end of an answer, another chat, or a stop that came too late sends a prompt.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isAnswering, chat, next])
  const edit = ({ id, text, files }: WaitingPrompt) => {
    removeWaiting(chat, id)
    prependDraft(chat, { text, files: files.map(attachmentOf) })
    area.current?.focus()
  }
  return (
    <ul className="waiting-prompts" aria-label={t('Waiting messages')}>
      {waiting.map((prompt) => (
        <li key={prompt.id}>
          <p dir="auto">{prompt.text}</p>
          <Button
            className="small"
            onClick={() => {
              if (!isAnswering) return send(prompt)
              setNext(prompt.id)
              onStop()
            }}
          >
            {isAnswering ? t('Stop and send') : t('Send')}
          </Button>
          <IconButton icon="edit" label={t('Edit')} className="small" onClick={() => edit(prompt)} />
          <IconButton
            icon="close"
            label={t('Remove message')}
            className="small"
            onClick={() => {
              removeWaiting(chat, prompt.id)
              area.current?.focus()
            }}
          />
        </li>
      ))}
    </ul>
  )
}
