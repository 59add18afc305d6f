import { randomUUID } from 'node:crypto'
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { citationMetadata } from '../../../../contract/citation.ts'
import { TOPICS_KIND } from '../../../../contract/message.ts'
import type { SearchKnowledgeResult } from '../../../knowledge/retrieval/search.ts'
import { mediaTypeOf } from '../../../knowledge/ingestion/media-type.ts'
import { type Answer, answerFrom, directAnswer, hasFound, notCovered, restOf, type Surroundings } from './answers.ts'
import { type Conversation, readConversation } from './conversation.ts'
import { type Intent, intentOf } from './intents.ts'
import { REPLIES } from './languages/replies.ts'

/** What the built-in assistant does next: it calls a tool, or answers. */
export type Step = { kind: 'call'; toolName: string; input: Record<string, unknown> } | { kind: 'say'; answer: Answer }

export interface BuiltinModelOptions {
  pauseMs: number
  /** Prompts that the knowledge answers, offered where something is not known. */
  starters?: () => readonly string[]
}

const NO_USAGE: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}

/**
 * The assistant inside the process: rules and the knowledge files, no weights, no network.
 * A language model like any other to the rest of the agent, so that tools, steps, streaming and stop are the same code.
 */
export class BuiltinModel implements LanguageModelV4 {
  readonly specificationVersion = 'v4'
  readonly provider = 'builtin'
  readonly modelId = 'builtin'
  readonly supportedUrls = {}
  readonly #pauseMs: number
  readonly #starters: () => readonly string[]

  constructor({ pauseMs, starters = () => [] }: BuiltinModelOptions) {
    this.#pauseMs = pauseMs
    this.#starters = starters
  }

  async doGenerate(options: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult> {
    const step = await nextStep(options, this.#starters())
    return { content: contentOf(step), finishReason: finishReasonOf(step), usage: NO_USAGE, warnings: [] }
  }

  async doStream(options: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamResult> {
    return { stream: paced(partsOf(await nextStep(options, this.#starters())), this.#pauseMs, options.abortSignal) }
  }
}

/** Depends on the conversation, on which tools there are and on the starters, and on nothing else. */
export async function nextStep(
  { prompt, tools = [] }: Pick<LanguageModelV4CallOptions, 'prompt' | 'tools'>,
  starters: readonly string[] = [],
): Promise<Step> {
  const conversation = readConversation(prompt)
  const intent = await intentOf(conversation.prompt, conversation.earlier)
  const step = stepIn(intent, conversation, { tools: tools.map(({ name }) => name), starters })
  return step.kind === 'say' ? { kind: 'say', answer: restOf(step.answer, conversation.said, REPLIES[intent.replyLanguage]) } : step
}

function stepIn(intent: Intent, { results }: Conversation, surroundings: Surroundings): Step {
  const answer = directAnswer(intent, surroundings)
  if (answer) return { kind: 'say', answer }
  const call = callFor(intent, results.length)
  const result = results.at(-1)
  if (result && (call === undefined || isEnough(intent, result.output)))
    return { kind: 'say', answer: answerFrom(intent, result, surroundings) }
  const isThere = call !== undefined && surroundings.tools.includes(call.toolName)
  return isThere ? call : { kind: 'say', answer: notCovered(intent, [], surroundings) }
}

/** Whether the last result ends the looking; a search may have another query to try. */
function isEnough(intent: Intent, output: { type: string; value?: unknown }): boolean {
  return intent.kind !== 'search' || output.type !== 'json' || hasFound(intent, output.value as SearchKnowledgeResult)
}

/** The call for an intent after some results; undefined when there is nothing more to call. */
function callFor(intent: Intent, results: number): Extract<Step, { kind: 'call' }> | undefined {
  if (intent.kind === 'search') {
    const query = intent.queries[results]
    return query === undefined ? undefined : { kind: 'call', toolName: 'search_knowledge', input: { query } }
  }
  if (results > 0) return undefined
  switch (intent.kind) {
    case 'calculate':
      return { kind: 'call', toolName: 'calculator', input: { expression: intent.expression } }
    case 'convert':
      return { kind: 'call', toolName: 'convert_units', input: { amount: intent.amount, from: intent.from, to: intent.to } }
    case 'time':
    case 'date':
      return { kind: 'call', toolName: 'date_time', input: intent.input }
    case 'reaction':
      return intent.query === null ? undefined : { kind: 'call', toolName: 'search_knowledge', input: { query: intent.query } }
    default:
      return undefined
  }
}

function finishReasonOf(step: Step): LanguageModelV4FinishReason {
  return { unified: step.kind === 'call' ? 'tool-calls' : 'stop', raw: undefined }
}

function contentOf(step: Step): LanguageModelV4Content[] {
  if (step.kind === 'call')
    return [{ type: 'tool-call', toolCallId: randomUUID(), toolName: step.toolName, input: JSON.stringify(step.input) }]
  const { text, source, topics } = step.answer
  const content: LanguageModelV4Content[] = [{ type: 'text', text }]
  if (source) {
    const { title, filename, citation } = source
    const mediaType = mediaTypeOf(filename)
    content.push({
      type: 'source',
      sourceType: 'document',
      id: '1',
      mediaType,
      title,
      filename,
      providerMetadata: citationMetadata(citation),
    })
  }
  if (topics) content.push({ type: 'custom', kind: TOPICS_KIND, providerMetadata: { parley: { topics: [...topics] } } })
  return content
}

function partsOf(step: Step): LanguageModelV4StreamPart[] {
  const parts = contentOf(step).flatMap((content): LanguageModelV4StreamPart[] => {
    if (content.type === 'text') return textParts(content.text)
    if (content.type !== 'tool-call') return [content as LanguageModelV4StreamPart]
    const id = content.toolCallId
    return [{ type: 'tool-input-start', id, toolName: content.toolName }, { type: 'tool-input-end', id }, content]
  })
  return [{ type: 'stream-start', warnings: [] }, ...parts, { type: 'finish', finishReason: finishReasonOf(step), usage: NO_USAGE }]
}

/** Words in one piece; with the usual pause between pieces it reads at some 250 words a second. */
const WORDS_A_PIECE = 10

function textParts(text: string): LanguageModelV4StreamPart[] {
  const id = 'text'
  const pieces = text.match(new RegExp(`(?:\\s*\\S+\\s*){1,${WORDS_A_PIECE}}`, 'g')) ?? [text]
  return [{ type: 'text-start', id }, ...pieces.map((delta) => ({ type: 'text-delta' as const, id, delta })), { type: 'text-end', id }]
}

/** The parts one after the other, with a pause before each piece of text but the first. Ends with the reason of the signal. */
function paced(
  parts: LanguageModelV4StreamPart[],
  pauseMs: number,
  signal: AbortSignal | undefined,
): ReadableStream<LanguageModelV4StreamPart> {
  let next = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let stop = () => {}
  return new ReadableStream({
    start(controller) {
      stop = () => {
        clearTimeout(timer)
        controller.error(signal?.reason)
      }
      if (signal?.aborted) stop()
      else signal?.addEventListener('abort', stop, { once: true })
    },
    async pull(controller) {
      const part = parts[next]
      const pauses = pauseMs > 0 && part?.type === 'text-delta' && parts[next - 1]?.type === 'text-delta'
      if (pauses) await new Promise((resolve) => (timer = setTimeout(resolve, pauseMs)))
      if (signal?.aborted) return
      next += 1
      if (part) controller.enqueue(part)
      if (next < parts.length) return
      signal?.removeEventListener('abort', stop)
      controller.close()
    },
    cancel() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    },
  })
}
