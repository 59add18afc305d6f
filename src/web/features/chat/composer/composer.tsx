import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  type Ref,
  type SyntheticEvent,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react'
import type { PublicAgent } from '../../../../contract/config.ts'
import { MAX_PROMPT_CHARACTERS } from '../../../../contract/size-limits.ts'
import type { FilePart } from '../../../../contract/chat/parts/file.ts'
import { t } from '../../../../ui/language/translate.ts'
import { changes, type Consent } from '../../../state/application-store.ts'
import { changeDraft, dropDraft, storedParts, useDraft } from '../../../state/drafts.ts'
import { IconButton } from '../../../../ui/button.tsx'
import { lazyPart } from '../../../../ui/lazy-part.ts'

/** Loaded only if the agent accepts files, or dictation is on. */
const ComposerTools = lazyPart(
  () => import('./composer-tools.tsx'),
  () => null,
  () => <span />,
)

/** Length from which the remaining characters are shown. */
const COUNTED_FROM = MAX_PROMPT_CHARACTERS * 0.9
/** An input method reports this key code for a key that it takes itself; Safari ends its composition before the Enter arrives. */
const COMPOSING_KEY_CODE = 229
/** A text of this length fills the box; measuring it with every letter would be noticeable. */
const FILLS_BOX = 5_000
/** Height above which the box has two lines, in CSS pixels: between one and two lines with their padding. */
const TALL_PX = 52

export interface ComposerHandle {
  focus(options?: FocusOptions): void
  /** Sends what is in the box, if it can be sent. */
  send(): void
}

interface ComposerProps {
  chat: string
  isAnswering: boolean
  agent: PublicAgent
  voiceInput: boolean
  onSend(prompt: string, files: FilePart[]): void
  /** Until it is given, prompts wait in the box. */
  consent: Consent
  onStop(): void
  ref: Ref<ComposerHandle>
}

/** The message box: Enter sends, Shift+Enter inserts a line break. While an answer is written, it keeps what is typed. */
export function Composer({ chat, isAnswering, agent, voiceInput, consent, onSend, onStop, ref }: ComposerProps): ReactNode {
  const draft = useDraft(chat)
  const { text, files } = draft
  const area = useRef<HTMLTextAreaElement>(null)
  const hintId = useId()
  useGrowingHeight(area, text)

  const prompt = text.trim()
  const length = prompt.length > COUNTED_FROM ? [...prompt].length : prompt.length
  const isTooLong = length > MAX_PROMPT_CHARACTERS
  const isUploading = files.some(({ status }) => status === 'sending')
  const canSend = prompt !== '' && !isTooLong && !isUploading && !isAnswering
  const send = () => {
    if (!canSend) return
    if (consent !== 'accepted') return changes.promptHeld()
    dropDraft(chat)
    onSend(prompt, storedParts(draft))
    area.current?.focus()
  }
  useImperativeHandle(ref, () => ({
    focus: (options) => area.current?.focus(options),
    send,
  }))
  const onKeyDown = (event: KeyboardEvent) => {
    // oxlint-disable-next-line typescript/no-deprecated -- nothing else tells in Safari
    const isComposing = event.nativeEvent.isComposing || event.keyCode === COMPOSING_KEY_CODE
    if (isComposing || event.shiftKey || event.altKey) return
    if (event.key !== 'Enter') return
    event.preventDefault()
    send()
  }
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    send()
  }
  const { acceptedFiles } = agent.model
  // Before consent, nothing is uploaded, dictated or stored.
  const hasTools = consent === 'accepted' && (acceptedFiles !== 'none' || voiceInput)
  const hint =
    consent === 'awaited' && canSend
      ? t('Accept the privacy notice to send this.')
      : hintFor(length, isTooLong, isAnswering && prompt !== '')
  return (
    <form className={hasTools ? 'composer with-tools' : 'composer'} onSubmit={onSubmit}>
      {hasTools && <ComposerTools {...{ chat, acceptedFiles, voiceInput, area }} />}
      <textarea
        ref={area}
        id="composer"
        rows={1}
        value={text}
        dir={text === '' ? undefined : 'auto'}
        placeholder={t('Message {name}', { name: agent.name })}
        aria-label={t('Message {name}', { name: agent.name })}
        aria-describedby={hintId}
        aria-invalid={isTooLong}
        enterKeyHint="send"
        onChange={(event) => changeDraft(chat, { text: event.target.value })}
        onKeyDown={onKeyDown}
      />
      {isAnswering ? (
        <StopButton onStop={onStop} area={area} />
      ) : (
        <IconButton type="submit" icon="send" label={t('Send')} variant="solid" disabled={!canSend} />
      )}
      <p id={hintId} className={isTooLong ? 'hint bad' : 'hint'} aria-live="polite">
        {hint}
      </p>
    </form>
  )
}

/** Moves the focus to the message box when it disappears, except on phones, where that would open the keyboard. */
function StopButton({ onStop, area }: { onStop(): void; area: RefObject<HTMLElement | null> }): ReactNode {
  const ref = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const button = ref.current
    const box = area.current
    return () => {
      if (button?.matches(':focus-visible')) box?.focus()
    }
  }, [area])
  return <IconButton ref={ref} icon="stop" label={t('Stop answer')} variant="solid" onClick={onStop} />
}

function hintFor(length: number, isTooLong: boolean, waits: boolean): string {
  if (isTooLong) {
    return t.plural(
      length - MAX_PROMPT_CHARACTERS,
      '{count} character over the limit. Shorten the message to send it.',
      '{count} characters over the limit. Shorten the message to send it.',
    )
  }
  if (waits) return t('You can send this when the answer is complete.')
  return length > COUNTED_FROM ? t('{length} of {most} characters', { length, most: MAX_PROMPT_CHARACTERS }) : ''
}

/** Grows the box with its text, and marks the form as tall from the second line on. */
function useGrowingHeight(area: { current: HTMLTextAreaElement | null }, text: string): void {
  /** Length at which the text got its second line. In the wider box of a tall form, the same text may fit one line. */
  const tallFrom = useRef(Number.POSITIVE_INFINITY)
  useLayoutEffect(() => {
    const element = area.current
    if (!element?.form) return
    element.style.height = text.length < FILLS_BOX ? 'auto' : '100vh'
    if (text.length < tallFrom.current) tallFrom.current = element.scrollHeight > TALL_PX ? text.length : Number.POSITIVE_INFINITY
    element.form.toggleAttribute('data-tall', text !== '' && text.length >= tallFrom.current)
    if (text.length < FILLS_BOX) element.style.height = `${element.scrollHeight}px`
  }, [area, text])
}
