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
import { citationMetadata } from '../../../contract/chat/citation.ts'
import { mediaTypeOf } from '../../knowledge/ingestion/media-type.ts'
import type { Step, Surroundings } from './next-step.ts'
import { onAbort } from '../../../async/abort.ts'
import { OUTCOME_KIND, TOPICS_KIND } from './reply-metadata.ts'

export interface BuiltinModelOptions {
  pauseMs: number
  surroundings?: (() => Surroundings) | undefined
}

const ALONE: Surroundings = { starters: [], ownStarters: [], languageOf: () => null }

/** The sentences and rules, loaded with the first prompt: with another model they are not needed. */
const loadRules = () => import('./next-step.ts')

const NO_USAGE: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}

/**
 * The assistant inside the process: it quotes the knowledge, without weights or network.
 * A language model like any other to the rest of the agent, so that tools, steps, streaming and stop are the same code.
 */
export class BuiltinModel implements LanguageModelV4 {
  readonly specificationVersion = 'v4'
  readonly provider = 'builtin'
  readonly modelId = 'builtin'
  readonly supportedUrls = {}
  readonly #pauseMs: number
  readonly #surroundings: () => Surroundings

  constructor({ pauseMs, surroundings = () => ALONE }: BuiltinModelOptions) {
    this.#pauseMs = pauseMs
    this.#surroundings = surroundings
  }

  async doGenerate(options: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult> {
    const step = await this.#nextStep(options)
    return { content: contentOf(step), finishReason: finishReasonOf(step), usage: NO_USAGE, warnings: [] }
  }

  async doStream(options: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamResult> {
    return { stream: paced(partsOf(await this.#nextStep(options)), this.#pauseMs, options.abortSignal) }
  }

  async #nextStep(options: LanguageModelV4CallOptions): Promise<Step> {
    const { nextStep } = await loadRules()
    return nextStep(options, this.#surroundings())
  }
}

function finishReasonOf(step: Step): LanguageModelV4FinishReason {
  return { unified: step.kind === 'call' ? 'tool-calls' : 'stop', raw: undefined }
}

function contentOf(step: Step): LanguageModelV4Content[] {
  if (step.kind === 'call')
    return step.calls.map(({ toolName, input }) => ({
      type: 'tool-call',
      toolCallId: randomUUID(),
      toolName,
      input: JSON.stringify(input),
    }))
  const { text, source, topics, outcome } = step.answer
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
  if (outcome) content.push({ type: 'custom', kind: OUTCOME_KIND, providerMetadata: { parley: { outcome } } })
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
  let removeListener = () => {}
  return new ReadableStream({
    start(controller) {
      removeListener = onAbort(signal, (reason) => {
        clearTimeout(timer)
        controller.error(reason)
      })
    },
    async pull(controller) {
      const part = parts[next]
      const pauses = pauseMs > 0 && part?.type === 'text-delta' && parts[next - 1]?.type === 'text-delta'
      if (pauses) await new Promise((resolve) => (timer = setTimeout(resolve, pauseMs)))
      if (signal?.aborted) return
      next += 1
      if (part) controller.enqueue(part)
      if (next < parts.length) return
      removeListener()
      controller.close()
    },
    cancel() {
      clearTimeout(timer)
      removeListener()
    },
  })
}
