import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  type Ref,
  type SyntheticEvent,
  Suspense,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react'
import type { PublicAgent } from '../../../../contract/config.ts'
import { MAX_PROMPT_CHARACTERS } from '../../../../contract/size-limits.ts'
import type { FilePart } from '../../../../contract/parts/file.ts'
import { t, useTranslate } from '../../../language/translate.ts'
import { changeDraft, type Draft, dropDraft, useDraft } from '../../../state/drafts.ts'
import type { PageActions } from './slash-commands.ts'
import type { SlashMenuHandle } from './slash-menu.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'

/** Loaded only if the agent accepts files or dictation is on. */
const ComposerTools = lazyPart(() => import('./composer-tools.tsx'))

const SlashMenu = lazyPart(() => import('./slash-menu.tsx'))

/** Text that may be a command. */
const COMMAND = /^\/.{0,40}$/

/** Length from which the remaining characters are shown. */
const COUNTED_FROM = MAX_PROMPT_CHARACTERS * 0.9
/** An input method reports this key code for a key that it takes itself; Safari ends its composition before the Enter arrives. */
const COMPOSING_KEY_CODE = 229
/** A text of this length fills the box; measuring it with every letter would be noticeable. */
const FILLS_BOX = 5_000

export interface ComposerHandle {
  focus(options?: FocusOptions): void
}

interface ComposerProps {
  /** Key of the draft. */
  chat: string
  isAnswering: boolean
  agent: PublicAgent
  voiceInput: boolean
  page: PageActions
  onSend(prompt: string, files: FilePart[]): void
  onStop(): void
  ref: Ref<ComposerHandle>
}

/** The message box: Enter sends, Shift+Enter inserts a line break. */
export function Composer({ chat, isAnswering, agent, voiceInput, page, onSend, onStop, ref }: ComposerProps): ReactNode {
  useTranslate()
  const draft = useDraft(chat)
  const { text, files } = draft
  const area = useRef<HTMLTextAreaElement>(null)
  const menu = useRef<SlashMenuHandle>(null)
  const hintId = useId()
  useGrowingHeight(area, text)
  useImperativeHandle(ref, () => ({
    focus: (options) => area.current?.focus(options),
  }))

  const prompt = text.trim()
  const length = prompt.length > COUNTED_FROM ? [...prompt].length : prompt.length
  const isTooLong = length > MAX_PROMPT_CHARACTERS
  const isUploading = files.some(({ status }) => status === 'sending')
  const canSend = prompt !== '' && !isTooLong && !isAnswering && !isUploading
  const send = () => {
    if (!canSend) return
    dropDraft(chat)
    onSend(prompt, partsOf(draft))
    area.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // oxlint-disable-next-line typescript/no-deprecated -- nothing else tells in Safari
    const isComposing = event.nativeEvent.isComposing || event.keyCode === COMPOSING_KEY_CODE
    if (isComposing || event.shiftKey || event.altKey) return
    if (menu.current?.onKey(event.key)) return event.preventDefault()
    const step = ARROWS[event.key]
    if (step && area.current?.selectionStart === text.length)
      import('./recalled-prompt.ts').then(({ recallPrompt }) => recallPrompt(chat, step)).catch(console.error)
    if (event.key !== 'Enter') return
    event.preventDefault()
    send()
  }
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    send()
  }
  const { acceptedFiles } = agent.model
  const hasTools = acceptedFiles !== 'none' || voiceInput
  const hint = hintFor(length, isTooLong, isAnswering && prompt !== '')
  return (
    <form className={hasTools ? 'composer with-tools' : 'composer'} onSubmit={onSubmit}>
      {hasTools && (
        <Suspense fallback={<span />}>
          <ComposerTools chat={chat} acceptedFiles={acceptedFiles} voiceInput={voiceInput} area={area} />
        </Suspense>
      )}
      {COMMAND.test(text) && (
        <Suspense fallback={null}>
          <SlashMenu ref={menu} chat={chat} query={text.slice(1)} agent={agent} page={page} area={area} />
        </Suspense>
      )}
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
      {/* Two buttons, or the click that stops would send what it puts back. */}
      {isAnswering ? (
        <StopButton key="stop" onStop={onStop} area={area} />
      ) : (
        <IconButton key="send" type="submit" icon="send" label={t('Send')} look="solid" disabled={!canSend} />
      )}
      <p id={hintId} className={isTooLong ? 'hint bad' : 'hint'} aria-live="polite">
        {hint}
      </p>
    </form>
  )
}

/** Moves the focus to the message box when it disappears, except on phones, where that would open the keyboard. */
function StopButton({ onStop, area }: { onStop(): void; area: RefObject<HTMLElement | null> }): ReactNode {
  useTranslate()
  const ref = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const button = ref.current
    const box = area.current
    return () => {
      if (button?.matches(':focus-visible')) box?.focus()
    }
  }, [area])
  return <IconButton ref={ref} icon="stop" label={t('Stop answer')} look="solid" onClick={onStop} />
}

const ARROWS: Partial<Record<string, 1 | -1>> = { ArrowUp: 1, ArrowDown: -1 }

const partsOf = ({ files }: Draft) => files.flatMap((file) => (file.status === 'stored' ? [file.part] : []))

function hintFor(length: number, isTooLong: boolean, waits: boolean): string {
  if (isTooLong) {
    return t.plural(
      length - MAX_PROMPT_CHARACTERS,
      '{count} character over the limit. Shorten the message to send it.',
      '{count} characters over the limit. Shorten the message to send it.',
    )
  }
  if (waits) return t('You can send this when the answer is complete, or stop the answer.')
  return length > COUNTED_FROM ? t('{length} of {most} characters', { length, most: MAX_PROMPT_CHARACTERS }) : ''
}

function useGrowingHeight(area: { current: HTMLTextAreaElement | null }, text: string): void {
  useLayoutEffect(() => {
    const element = area.current
    if (!element) return
    element.style.height = text.length < FILLS_BOX ? 'auto' : '100vh'
    if (text.length < FILLS_BOX) element.style.height = `${element.scrollHeight}px`
  }, [area, text])
}
