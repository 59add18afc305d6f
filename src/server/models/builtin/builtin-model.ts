import { randomUUID } from 'node:crypto'
import type { LanguageModelV4, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import { citationMetadata } from '../../../contract/chat/citation.ts'
import { mediaTypeOf } from '../../knowledge/ingestion/media-type.ts'
import { streamingModel } from '../streaming-model.ts'
import type { Answer, Step, Surroundings, ToolCall } from './next-step.ts'
import { OUTCOME_KIND, TOPICS_KIND } from './reply-metadata.ts'

const ALONE: Surroundings = { starters: [], ownStarters: [], languageOf: () => null }

const NO_USAGE: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}

/** The assistant inside the process: it quotes the knowledge. To the agent it is a language model like any other. */
export function builtinModel(surroundings: () => Surroundings = () => ALONE): LanguageModelV4 {
  return streamingModel({ provider: 'builtin', modelId: 'builtin', supportedUrls: {} }, async (options) => {
    // The sentences and rules are loaded with the first prompt: with another model they are not needed.
    const { nextStep } = await import('./next-step.ts')
    return { stream: ReadableStream.from(partsOf(await nextStep(options, surroundings()))) }
  })
}

function partsOf(step: Step): LanguageModelV4StreamPart[] {
  const isCall = step.kind === 'call'
  return [
    { type: 'stream-start', warnings: [] },
    ...(isCall ? step.calls.flatMap(callParts) : answerParts(step.answer)),
    { type: 'finish', finishReason: { unified: isCall ? 'tool-calls' : 'stop', raw: undefined }, usage: NO_USAGE },
  ]
}

function callParts({ toolName, input }: ToolCall): LanguageModelV4StreamPart[] {
  const id = randomUUID()
  return [
    { type: 'tool-input-start', id, toolName },
    { type: 'tool-input-end', id },
    { type: 'tool-call', toolCallId: id, toolName, input: JSON.stringify(input) },
  ]
}

function answerParts({ text, source, topics, outcome }: Answer): LanguageModelV4StreamPart[] {
  const parts = textParts(text)
  if (source) {
    const { title, filename, citation } = source
    const document = { sourceType: 'document', id: '1', mediaType: mediaTypeOf(filename), title, filename } as const
    parts.push({ type: 'source', ...document, providerMetadata: citationMetadata(citation) })
  }
  if (topics) parts.push({ type: 'custom', kind: TOPICS_KIND, providerMetadata: { parley: { topics: [...topics] } } })
  if (outcome) parts.push({ type: 'custom', kind: OUTCOME_KIND, providerMetadata: { parley: { outcome } } })
  return parts
}

function textParts(text: string): LanguageModelV4StreamPart[] {
  const id = 'text'
  return [
    { type: 'text-start', id },
    { type: 'text-delta', id, delta: text },
    { type: 'text-end', id },
  ]
}
