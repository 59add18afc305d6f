// Entry point of the local embedding model's process: a broken model file or too little memory ends this process, not the server.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
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
/** As long as a query. */
const WARM_UP_TEXT = 'a '.repeat(64)

/** The model that `npm run embedding-model` makes has a tokenizer of so many bytes at its end. */
const Metadata = z.object({ parley: z.object({ unigram: z.object({ bytes: z.int().positive() }) }) })
const Tokenizer = z.object({ first: z.int(), last: z.int(), unknown: z.int(), pieces: z.array(z.string()), scores: z.array(z.number()) })

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
  const llama = await importLibrary<EmbeddingLibrary>(library)
  // To find warnings, it would tokenize a sample, and a file without a tokenizer would end the process.
  llama.LlamaModel.prototype.getWarnings = () => []
  const model = await loadModel(llama, path, threads)
  const tokenize = tokenizerOf(model, path)
  const contextSize = Math.min(model.trainContextSize, MAX_CONTEXT_TOKENS)
  // A bidirectional model needs the whole text in one batch.
  const context = await model.createEmbeddingContext({ contextSize, batchSize: contextSize, threads })
  embedText = async (text) => {
    // XLM-RoBERTa's tokenizer begins with NFKC, which a GGUF file may lack; others aren't affected.
    const tokens = tokenize(text.normalize('NFKC'), contextSize - RESERVED_TOKENS)
    const { vector } = await context.getEmbeddingFor(tokens)
    collect({ type: 'minor' })
    return [...vector]
  }
  // The library keeps a score for each token of the longest text so far and each of the vocabulary. Growing in small steps would leave gaps.
  await embedText(WARM_UP_TEXT)
  collect()
  send({ type: 'loaded' })
}

/** The tokenizer at the end of the model's file, or the library's. */
function tokenizerOf(model: EmbeddingModel, path: string): (text: string, maxTokens: number) => number[] {
  const own = Metadata.safeParse(model.fileInfo.metadata)
  if (!own.success) return (text, maxTokens) => model.tokenize(text).slice(0, maxTokens)
  const { first, last, ...vocabulary } = Tokenizer.parse(JSON.parse(readEnd(path, own.data.parley.unigram.bytes)))
  const unigram = new UnigramTokenizer(vocabulary)
  return (text, maxTokens) => [first, ...unigram.tokenize(text).slice(0, maxTokens - 2), last]
}

function readEnd(path: string, count: number): string {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(count)
    readSync(file, bytes, 0, count, fstatSync(file).size - count)
    return bytes.toString()
  } finally {
    closeSync(file)
  }
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

function finish(job: Job, message: FromEmbedder): void {
  if (jobs.includes(job)) send(message)
  jobs = jobs.filter((other) => other !== job)
}

function send(message: FromEmbedder): void {
  process.send?.(message)
}
