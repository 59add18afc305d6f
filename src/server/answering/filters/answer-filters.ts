import type { ChatChunk } from '../../../contract/chat/message.ts'
import { moderatedAnswer } from '../../safety/moderation/moderated-answer.ts'
import { unquotedAnswer } from '../prompt/unquoted-answer.ts'
import { citedAnswer, numberedAnswer } from './cited-answer.ts'
import { withoutEmergency } from './declared-emergency.ts'
import { withoutOutcome } from './declared-outcome.ts'
import { factualAnswer } from './factual-answer.ts'
import { judgedAnswer } from './judged-answer.ts'
import { separateThoughts } from './think-tags.ts'
import { writtenCalls } from './written-calls.ts'

/**
 * Filters of an answer on its way from the model to the visitor, in this order. Each filter takes what the one before it lets through;
 * the order is the rule that a filter can rely on.
 */
export const ANSWER_FILTERS = {
  /** On the parts of each call of the model: the next call repeats what they leave. */
  call: {
    /** A call of a tool that the model writes as text is neither an answer nor a thought: everything below would show or repeat it. */
    writtenCalls,
    /** Reasoning is no answer: nothing below may read it as text, and later calls get it back as reasoning. */
    thoughts: separateThoughts,
  },
  /** On the chunks of the answer of one model. */
  answer: {
    /** A mark for the server, at the start: the fixed reply takes the place of everything after it. */
    emergency: withoutEmergency,
    /** A line for the server, at the end of a text, where it could hide a citation or a sentence from what follows. */
    outcomeLine: withoutOutcome,
    /** Leaves the numbers that have a passage, and finds those of an answer without any: facts are compared with passages that exist. */
    citations: citedAnswer,
    /** Reads the answer with its citations; what it rejects, the next filter drops or marks like a sentence whose facts no passage states. */
    judge: judgedAnswer,
    /** Compares each sentence with its passages, which its citations name. */
    facts: factualAnswer,
    /** Numbers the sources of what is left; the filters above know them by the model's numbers. */
    numbers: numberedAnswer,
    /** Ends an answer that recites the system prompt, before anybody reads it. */
    promptQuotes: unquotedAnswer,
    /** Checks exactly the text that the visitor gets: nothing after it changes a word. */
    moderation: moderatedAnswer,
  },
  /** On the chunks of the turn, whoever wrote them. */
  turn: {
    /** Stored first, then shown. */
    turnLog: loggedAnswer,
  },
}

type Filter<Piece, Parts> = (pieces: AsyncIterable<Piece>, parts: Parts) => AsyncIterable<Piece>

export function pass<Piece, Parts>(
  filters: Record<string, Filter<Piece, Parts>>,
  pieces: AsyncIterable<Piece>,
  parts: Parts,
): AsyncIterable<Piece> {
  return Object.values(filters).reduce((passed, filter) => filter(passed, parts), pieces)
}

/** Appends each chunk to the turn's log, which shows it once it is stored, and waits for room there. */
async function* loggedAnswer(
  chunks: AsyncIterable<ChatChunk>,
  { log }: { log: (chunk: ChatChunk) => Promise<void> },
): AsyncGenerator<ChatChunk, void, undefined> {
  for await (const chunk of chunks) {
    await log(chunk)
    yield chunk
  }
}
