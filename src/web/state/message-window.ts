import { type ChatMessage, textOf } from '../../contract/message.ts'
import { filesOf } from '../../contract/parts/file.ts'

/** Messages of a session without a gap up to its newest, and what asks for those before them; null when there are none. */
export interface MessageWindow {
  messages: ChatMessage[]
  earlier: string | null
}

/** What is shown with the newest messages of the server, which may begin later than what is shown, and have gone on since. */
export function withNewest(shown: MessageWindow, newest: MessageWindow): MessageWindow {
  if (newest.earlier === null) return { messages: unchangedKept(shown.messages, newest.messages), earlier: null }
  const start = startIn(shown.messages, newest.messages)
  // So much came meanwhile that there is a gap between the two.
  if (start < 0) return newest
  const messages = [...shown.messages.slice(0, start), ...unchangedKept(shown.messages.slice(start), newest.messages)]
  return { messages, earlier: start > 0 ? shown.earlier : newest.earlier }
}

/** The messages with the thumbs that are shown. */
export function withFeedbackOf(shown: ChatMessage[], messages: ChatMessage[]): ChatMessage[] {
  const known = new Map(shown.map(({ id, metadata }) => [id, metadata?.feedback]))
  return messages.map((message) => {
    if (!known.has(message.id)) return message
    const { feedback: _theirs, ...metadata } = message.metadata ?? {}
    const feedback = known.get(message.id)
    return { ...message, metadata: { ...metadata, ...(feedback && { feedback }) } }
  })
}

/** Where the newest messages begin among those that are shown; -1 when they do not meet. */
function startIn(shown: ChatMessage[], newest: ChatMessage[]): number {
  const places = new Map(shown.map(({ id }, index) => [id, index]))
  // A prompt that was sent here has another id than the server gave it.
  const met = newest.findIndex(({ id }) => places.has(id))
  return met < 0 ? -1 : (places.get(newest[met]?.id ?? '') ?? -1) - met
}

/** The newer messages; those that say the same as before are the same objects as before, so that nothing is drawn again. */
function unchangedKept(before: ChatMessage[], messages: ChatMessage[]): ChatMessage[] {
  return messages.map((message, index) => {
    const shown = before[index]
    return shown && saysTheSame(shown, message) ? shown : message
  })
}

function saysTheSame(one: ChatMessage, other: ChatMessage): boolean {
  return one.id === other.id && textOf(one) === textOf(other) && toldOf(one) === toldOf(other)
}

/** What the page shows of a message beside its text. */
function toldOf({ metadata: { status, version, feedback } = {}, parts }: ChatMessage): string {
  return JSON.stringify([status, version, feedback, filesOf({ parts })])
}
