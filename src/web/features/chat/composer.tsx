import {
  type KeyboardEvent,
  lazy,
  type ReactNode,
  type Ref,
  type RefObject,
  type SyntheticEvent,
  Suspense,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react'
import type { PublicAgent } from '../../../contract/config.ts'
import { MAX_PROMPT_CHARACTERS } from '../../../contract/limits.ts'
import type { FilePart } from '../../../contract/message.ts'
import { say, useSay } from '../../language/say.ts'
import { changeDraft, type Draft, draftOf, dropDraft, useDraft } from '../../state/drafts.ts'
import { textOf } from '../../../contract/message.ts'
import { useApplication } from '../../state/application-store.ts'
import type { Recalled } from './recalled-prompt.ts'
import type { PageActions } from './slash-commands.ts'
import type { SlashMenuHandle } from './slash-menu.tsx'
import { IconButton } from '../../ui/button.tsx'

/** Not where the agent reads words alone. */
const FileTools = lazy(() => import('./file-tools.tsx').catch(() => ({ default: () => null })))

const SlashMenu = lazy(() => import('./slash-menu.tsx').catch(() => ({ default: () => null })))

/** What may be a command. */
const COMMAND = /^\/.{0,40}$/

/** From here on the remaining room is shown. */
const COUNTED_FROM = MAX_PROMPT_CHARACTERS * 0.9
/** An input method reports this key code for a key that it takes itself; Safari ends its composition before the Enter arrives. */
const COMPOSING_KEY_CODE = 229
/** A text of so many characters fills the box: measuring it with every letter would be felt. */
const FILLS_BOX = 5_000

export interface ComposerHandle {
  focus(options?: FocusOptions): void
}

interface ComposerProps {
  /** Under which key the draft is. */
  chat: string
  isAnswering: boolean
  agent: PublicAgent
  page: PageActions
  onSend(prompt: string, files: FilePart[]): void
  onStop(): void
  ref: Ref<ComposerHandle>
}

/** Where the visitor writes: Enter sends, Shift and Enter makes a new line. */
export function Composer({ chat, isAnswering, agent, page, onSend, onStop, ref }: ComposerProps): ReactNode {
  useSay()
  const draft = useDraft(chat)
  const { text, files } = draft
  const area = useRef<HTMLTextAreaElement>(null)
  const menu = useRef<SlashMenuHandle>(null)
  const recalled = useRef<Recalled>(null)
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
    if (step && area.current?.selectionStart === text.length) recallPrompt(chat, recalled, step).catch(console.error)
    if (event.key !== 'Enter') return
    event.preventDefault()
    send()
  }
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    send()
  }
  const { takes } = agent.model
  const hint = hintFor(length, isTooLong, isAnswering && prompt !== '', isUploading)
  return (
    <form className={takes === 'nothing' ? 'composer' : 'composer with-tools'} onSubmit={onSubmit}>
      {takes !== 'nothing' && (
        <Suspense fallback={<span />}>
          <FileTools chat={chat} takes={takes} area={area} />
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
        dir="auto"
        placeholder={say('Message {name}', { name: agent.name })}
        aria-label={say('Message {name}', { name: agent.name })}
        aria-describedby={hintId}
        aria-invalid={isTooLong}
        enterKeyHint="send"
        onChange={(event) => changeDraft(chat, { text: event.target.value })}
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

const ARROWS: Partial<Record<string, 1 | -1>> = { ArrowUp: 1, ArrowDown: -1 }

/** Puts an earlier or a later prompt of the chat into the message box, if that is empty or has such a one. */
async function recallPrompt(chat: string, recalled: RefObject<Recalled | null>, step: 1 | -1): Promise<void> {
  const { recall } = await import('./recalled-prompt.ts')
  const messages = useApplication.getState().currentSession?.messages ?? []
  const prompts = messages.flatMap((message) => (message.role === 'user' ? [textOf(message)] : [])).reverse()
  const next = recall(prompts, draftOf(chat).text, recalled.current, step)
  if (!next) return
  recalled.current = next
  changeDraft(chat, { text: next.text })
}

const partsOf = ({ files }: Draft) => files.flatMap((file) => (file.status === 'stored' ? [file.part] : []))

function hintFor(length: number, isTooLong: boolean, waits: boolean, isUploading: boolean): string {
  if (isTooLong) {
    return say.plural(
      length - MAX_PROMPT_CHARACTERS,
      '{count} character too many. Shorten the message to send it.',
      '{count} characters too many. Shorten the message to send it.',
    )
  }
  if (waits) return say('You can send this when the answer is complete, or stop it.')
  if (isUploading) return say('You can send this when the files are there.')
  return length > COUNTED_FROM ? say('{length} of {most} characters', { length, most: MAX_PROMPT_CHARACTERS }) : ''
}

function useGrowingHeight(area: { current: HTMLTextAreaElement | null }, text: string): void {
  useLayoutEffect(() => {
    const element = area.current
    if (!element) return
    element.style.height = text.length < FILLS_BOX ? 'auto' : '100vh'
    if (text.length < FILLS_BOX) element.style.height = `${element.scrollHeight}px`
  }, [area, text])
}
