import { type KeyboardEvent, type ReactNode, type Ref, type SyntheticEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { MAX_PROMPT_CHARACTERS } from '../../../contract/limits.ts'
import { say, useSay } from '../../language/say.ts'
import { IconButton } from '../../ui/button.tsx'

/** From here on the remaining room is shown. */
const COUNTED_FROM = MAX_PROMPT_CHARACTERS * 0.9
/** An input method reports this key code for a key that it takes itself; Safari ends its composition before the Enter arrives. */
const COMPOSING_KEY_CODE = 229

export interface ComposerHandle {
  /** Puts a text in for editing, before what is already there, and the cursor behind it. */
  edit(text: string): void
  focus(options?: FocusOptions): void
  text(): string
}

interface ComposerProps {
  /** What was written before, and not sent. */
  draft: string
  isAnswering: boolean
  agentName: string
  onSend(prompt: string): void
  onStop(): void
  ref: Ref<ComposerHandle>
}

/** Where the visitor writes: Enter sends, Shift and Enter makes a new line. */
export function Composer({ draft, isAnswering, agentName, onSend, onStop, ref }: ComposerProps): ReactNode {
  useSay()
  const [text, setText] = useState(draft)
  const area = useRef<HTMLTextAreaElement>(null)
  const hintId = useId()
  useGrowingHeight(area, text)
  useLayoutEffect(() => {
    const handle: ComposerHandle = {
      focus: (options) => area.current?.focus(options),
      text: () => area.current?.value ?? '',
      edit(taken) {
        setText((written) => (written ? `${taken}\n${written}` : taken))
        area.current?.focus()
      },
    }
    if (typeof ref === 'function') ref(handle)
    else if (ref) ref.current = handle
  }, [ref])

  const prompt = text.trim()
  const length = prompt.length > COUNTED_FROM ? [...prompt].length : prompt.length
  const isTooLong = length > MAX_PROMPT_CHARACTERS
  const canSend = prompt !== '' && !isTooLong && !isAnswering
  const send = () => {
    if (!canSend) return
    onSend(prompt)
    setText('')
    area.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // oxlint-disable-next-line typescript/no-deprecated -- nothing else tells in Safari
    const isComposing = event.nativeEvent.isComposing || event.keyCode === COMPOSING_KEY_CODE
    if (event.key !== 'Enter' || event.shiftKey || isComposing) return
    event.preventDefault()
    send()
  }
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    send()
  }
  const hint = hintFor(length, isTooLong, isAnswering && prompt !== '')
  return (
    <form className="composer" onSubmit={onSubmit}>
      <textarea
        ref={area}
        id="composer"
        rows={1}
        value={text}
        dir="auto"
        placeholder={say('Message {name}', { name: agentName })}
        aria-label={say('Message {name}', { name: agentName })}
        aria-describedby={hintId}
        aria-invalid={isTooLong}
        enterKeyHint="send"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {/* Two buttons, or the click that stops would send what it puts back. */}
      {isAnswering ? (
        <IconButton key="stop" icon="stop" label={say('Stop the answer')} look="solid" onClick={onStop} />
      ) : (
        <IconButton key="send" type="submit" icon="send" label={say('Send')} look="solid" disabled={!canSend} />
      )}
      <p id={hintId} className={isTooLong ? 'hint bad' : 'hint'} aria-live="polite">
        {hint}
      </p>
    </form>
  )
}

function hintFor(length: number, isTooLong: boolean, waits: boolean): string {
  if (isTooLong) {
    return say.plural(
      length - MAX_PROMPT_CHARACTERS,
      '{count} character too many. Shorten the message to send it.',
      '{count} characters too many. Shorten the message to send it.',
    )
  }
  if (waits) return say('You can send this when the answer is complete, or stop it.')
  return length > COUNTED_FROM ? say('{length} of {most} characters', { length, most: MAX_PROMPT_CHARACTERS }) : ''
}

function useGrowingHeight(area: { current: HTMLTextAreaElement | null }, text: string): void {
  useLayoutEffect(() => {
    const element = area.current
    if (!element) return
    element.style.height = 'auto'
    element.style.height = `${element.scrollHeight}px`
  }, [area, text])
}
