// Entry point of the local embedding model's process: a broken model file or too little memory ends this process, not the server.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { z } from 'zod'
import { type LlamaLibrary, importLibrary, loadModel } from '../../../local-runtime/llama-library.ts'
import { describeError, serveModel } from '../../../local-runtime/model-program.ts'
import { type FromEmbedder, ToEmbedder } from './embedding-messages.ts'
import { UnigramTokenizer } from './unigram.ts'

/** More than the longest passage needs. The model's own limit may be lower. */
const MAX_CONTEXT_TOKENS = 1_024
/** The library adds a first and a last token and needs a free one. */
const RESERVED_TOKENS = 3
/**
 * Tokens of a text that our own tokenizer cuts which are embedded together. The library keeps a score for each token of the text and each
 * of the vocabulary: a megabyte a token at 250,000.
 */
const WINDOW_TOKENS = 160

/**
 * The vocabulary of the model that `npm run embedding-model` makes, one piece a line. llama.cpp would take 250 MB for it, so the file
 * names no tokenizer.
 */
const Metadata = z.object({
  parley: z.object({ unigram: z.object({ pieces: z.string(), scores: z.array(z.number()) }) }),
  tokenizer: z.object({ ggml: z.object({ bos_token_id: z.int(), eos_token_id: z.int(), unknown_token_id: z.int() }) }),
})

interface EmbeddingLibrary extends LlamaLibrary<EmbeddingModel> {
  LlamaModel: { prototype: { getWarnings: () => string[] } }
}

interface EmbeddingModel {
  readonly trainContextSize: number
  readonly fileInfo: { readonly metadata: unknown }
  tokenize(text: string): number[]
  createEmbeddingContext(options: { contextSize: number; batchSize: number; threads: number }): Promise<EmbeddingContext>
}

interface EmbeddingContext {
  getEmbeddingFor(tokens: number[]): Promise<{ readonly vector: readonly number[] }>
}

interface Job {
  id: number
  texts: string[]
  vectors: number[][]
}

// Each call of the library leaves a sampler of 12 bytes a token of the vocabulary, whose size V8 doesn't know.
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void

type EmbedText = (text: string) => Promise<number[]>

let embedText: EmbedText | undefined
let jobs: Job[] = []
let isWorking = false

serveModel((message) => handle(ToEmbedder.parse(message)))

async function handle(message: ToEmbedder): Promise<void> {
  switch (message.type) {
    case 'load':
      return load(message)
    case 'embed':
      jobs.push({ id: message.id, texts: message.texts, vectors: [] })
      return work()
    case 'cancel':
      jobs = jobs.filter(({ id }) => id !== message.id)
  }
}

async function load({ library, model: path, threads }: Extract<ToEmbedder, { type: 'load' }>): Promise<void> {
  try {
    const llama = await importLibrary<EmbeddingLibrary>(library)
    // To find warnings, it would tokenize a sample, and a file without a tokenizer would end the process.
    llama.LlamaModel.prototype.getWarnings = () => []
    const model = await loadModel(llama, path, threads)
    const windowsOf = windowsOfModel(model)
    const contextSize = Math.min(model.trainContextSize, MAX_CONTEXT_TOKENS)
    // A bidirectional model needs the whole text in one batch.
    const context = await model.createEmbeddingContext({ contextSize, batchSize: contextSize, threads })
    embedText = async (text) => {
      // XLM-RoBERTa's tokenizer begins with NFKC, which a GGUF file may lack; others aren't affected.
      const windows = windowsOf(text.normalize('NFKC'), contextSize - RESERVED_TOKENS)
      const vectors: (readonly number[])[] = []
      for (const tokens of windows) vectors.push((await context.getEmbeddingFor(tokens)).vector)
      collect({ type: 'minor' })
      return meanOf(vectors, windows)
    }
    // The buffers grow to the longest text; growing step by step would leave gaps of several times their size.
    await embedText('a '.repeat(contextSize))
    collect()
    send({ type: 'loaded' })
  } catch (error) {
    send({ type: 'not-loaded', message: describeError(error) })
  }
}

/** How a model's texts are cut into windows of tokens. */
function windowsOfModel(model: EmbeddingModel): (text: string, maxTokens: number) => number[][] {
  const own = Metadata.safeParse(model.fileInfo.metadata)
  if (!own.success) return (text, maxTokens) => [model.tokenize(text).slice(0, maxTokens)]
  const { parley, tokenizer } = own.data
  const { bos_token_id: first, eos_token_id: last, unknown_token_id: unknown } = tokenizer.ggml
  const unigram = new UnigramTokenizer({ pieces: parley.unigram.pieces.split('\n'), scores: parley.unigram.scores, unknown })
  return (text, maxTokens) => {
    const end = text.indexOf('\n')
    const title = unigram.tokenize(text.slice(0, Math.max(0, end))).slice(0, WINDOW_TOKENS / 2)
    const tokens = unigram.tokenize(text.slice(end + 1)).slice(0, maxTokens - title.length)
    const count = Math.max(1, Math.ceil(tokens.length / (WINDOW_TOKENS - title.length)))
    const size = Math.ceil(tokens.length / count)
    return Array.from({ length: count }, (_, at) => [first, ...title, ...tokens.slice(at * size, (at + 1) * size), last])
  }
}

/** The mean of all tokens, as if they had been embedded together. */
function meanOf(vectors: readonly (readonly number[])[], windows: readonly number[][]): number[] {
  const [only] = vectors
  if (only && vectors.length === 1) return [...only]
  return Array.from(only ?? [], (_, at) =>
    vectors.reduce((sum, vector, window) => sum + (vector[at] as number) * (windows[window] as number[]).length, 0),
  )
}

/** Embeds one text at a time, shortest job first, so a visitor's query precedes the passages of an index. */
async function work(): Promise<void> {
  if (isWorking) return
  isWorking = true
  for (;;) {
    const job = jobs.toSorted((one, other) => left(one) - left(other))[0]
    if (!job) break
    try {
      if (!embedText) throw new Error('No model is loaded')
      if (left(job) > 0) job.vectors.push(await embedText(job.texts[job.vectors.length] ?? ''))
      if (left(job) === 0) finish(job, { type: 'embedded', id: job.id, vectors: job.vectors })
    } catch (error) {
      finish(job, { type: 'failed', id: job.id, message: describeError(error) })
    }
  }
  isWorking = false
}

function left({ texts, vectors }: Job): number {
  return texts.length - vectors.length
}

/** Nobody waits for a cancelled job. */
function finish(job: Job, message: FromEmbedder): void {
  if (jobs.includes(job)) send(message)
  jobs = jobs.filter((other) => other !== job)
}

function send(message: FromEmbedder): void {
  process.send?.(message)
}
