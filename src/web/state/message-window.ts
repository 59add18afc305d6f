import type { ChatMessage, Feedback } from '../../contract/chat/message.ts'
import { textOf } from '../../contract/chat/message-text.ts'
import { filesOf } from '../../contract/chat/parts/file.ts'

/** A session's newest messages without a gap, and the cursor of those before them; `null` if none. */
export interface MessageWindow {
  messages: ChatMessage[]
  earlier: string | null
}

/** Merges the server's newest messages, which may begin later, into those that are shown. */
export function withNewest(shown: MessageWindow, newest: MessageWindow): MessageWindow {
  if (newest.earlier === null) return { messages: reuseUnchanged(shown.messages, newest.messages), earlier: null }
  const start = startIn(shown.messages, newest.messages)
  // There is a gap between the two.
  if (start < 0) return newest
  const messages = [...shown.messages.slice(0, start), ...reuseUnchanged(shown.messages.slice(start), newest.messages)]
  return { messages, earlier: start > 0 ? shown.earlier : newest.earlier }
}

/** The messages with the feedback that is shown, which theirs may lack. */
export function withFeedbackOf(shown: ChatMessage[], messages: ChatMessage[]): ChatMessage[] {
  const known = new Map(shown.map(({ id, metadata }) => [id, metadata?.feedback]))
  return messages.map((message) => (known.has(message.id) ? withFeedback(message, known.get(message.id)) : message))
}

export function withFeedback(message: ChatMessage, feedback: Feedback | null | undefined): ChatMessage {
  const { feedback: _previous, ...metadata } = message.metadata ?? {}
  return { ...message, metadata: { ...metadata, ...(feedback && { feedback }) } }
}

/** Index of the first newest message among those that are shown; -1 if they do not overlap. */
function startIn(shown: ChatMessage[], newest: ChatMessage[]): number {
  const places = new Map(shown.map(({ id }, index) => [id, index]))
  // A prompt that was sent here may have an id of the page's.
  const met = newest.findIndex(({ id }) => places.has(id))
  return met < 0 ? -1 : (places.get(newest[met]?.id ?? '') ?? -1) - met
}

/** The newer messages; unchanged ones stay the same objects, so that they are not rendered again. */
function reuseUnchanged(before: ChatMessage[], messages: ChatMessage[]): ChatMessage[] {
  return messages.map((message, index) => {
    const shown = before[index]
    return shown && isSameContent(shown, message) ? shown : message
  })
}

function isSameContent(one: ChatMessage, other: ChatMessage): boolean {
  return one.id === other.id && textOf(one) === textOf(other) && detailsOf(one) === detailsOf(other)
}

/** Parts of a message that the page shows besides its text. */
function detailsOf({ metadata: { status, version, feedback, corrections, askedStaff } = {}, parts }: ChatMessage): string {
  return JSON.stringify([status, version, feedback, corrections, askedStaff, filesOf({ parts })])
}
