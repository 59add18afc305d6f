// Entry point of the local embedding model's process: a broken model file or too little memory ends this process, not the server.
import { type LlamaLibrary, importLibrary, loadModel } from '../../../local-runtime/llama-library.ts'
import { describeError, serveModel } from '../../../local-runtime/model-program.ts'
import { type FromEmbedder, ToEmbedder } from './embedding-messages.ts'

/** More than the longest passage needs. The model's own limit may be lower. */
const MAX_CONTEXT_TOKENS = 1_024
/** The library adds a first and a last token and needs a free one. */
const RESERVED_TOKENS = 3

interface EmbeddingModel {
  readonly trainContextSize: number
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
    const model = await loadModel(await importLibrary<LlamaLibrary<EmbeddingModel>>(library), path, threads)
    const contextSize = Math.min(model.trainContextSize, MAX_CONTEXT_TOKENS)
    // A bidirectional model needs the whole text in one batch.
    const context = await model.createEmbeddingContext({ contextSize, batchSize: contextSize, threads })
    embedText = async (text) => {
      const tokens = model.tokenize(text).slice(0, contextSize - RESERVED_TOKENS)
      return [...(await context.getEmbeddingFor(tokens)).vector]
    }
    send({ type: 'loaded' })
  } catch (error) {
    send({ type: 'not-loaded', message: describeError(error) })
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

/** Nobody waits for a cancelled job. */
function finish(job: Job, message: FromEmbedder): void {
  if (jobs.includes(job)) send(message)
  jobs = jobs.filter((other) => other !== job)
}

function send(message: FromEmbedder): void {
  process.send?.(message)
}
