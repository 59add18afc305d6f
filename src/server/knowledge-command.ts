import { mkdir } from 'node:fs/promises'
import { connectModel, describeModel } from './agent/model/connect-model.ts'
import { EndpointQuirks } from './agent/model/endpoint-quirks.ts'
import { DEFAULT_LIMITS } from './agent/model/model-limits.ts'
import type { LocalRuntime } from './agent/model/local/local-runtime.ts'
import { startLocalModel } from './agent/model/local/start-local-model.ts'
import { untrustedContent } from './agent/tools/untrusted-content.ts'
import { estimateCompletion, completeInBackground } from './agent/answer/background-completion.ts'
import type { Settings } from './config/config.ts'
import { enrich, INSTRUCTIONS, MAX_OUTPUT_TOKENS, USUAL_OUTPUT_TOKENS, type WriteEnrichment } from './knowledge/enrichment/enrich.ts'
import { enrichmentFile, Enrichments } from './knowledge/enrichment/enrichment.ts'
import { openFolderIndexer } from './knowledge/index/folder-indexer.ts'
import type { ExtractionRequest } from './knowledge/ingestion/extract-file.ts'
import { ExtractionProcess } from './knowledge/ingestion/extraction-process.ts'
import type { Passage } from './knowledge/ingestion/passages.ts'
import { runSourceCommand, SOURCE_COMMANDS, SOURCE_USAGE } from './sources/source-commands.ts'
import { localRuntimePaths } from './local-runtime/model-supervisor.ts'

const USAGE = `Usage: npm run knowledge -- enrich [--yes]
${SOURCE_USAGE}
  enrich   has the configured model write, for each passage, a line of context and three questions
           that it answers; both are searched and never shown. Prints the price and stops, unless
           --yes is given. What is enriched already is left alone.
`
/** Passages between progress lines. */
const PROGRESS_EVERY = 20
const PRICE_TOKENS = 1_000_000

export interface CommandContext {
  settings: Settings
  libraryDirectory: string
  write: (text: string) => void
  signal: AbortSignal
}

/** Runs `npm run knowledge -- …`; resolves with the exit code. */
export async function runKnowledgeCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const [command, ...options] = args
  const sourceCommand = SOURCE_COMMANDS.find((name) => name === command)
  if (sourceCommand) return runSourceCommand(sourceCommand, options, { ...context, now: Date.now })
  if (command === 'enrich' && options.every((option) => option === '--yes')) return enrichKnowledge(options.length > 0, context)
  context.write(USAGE)
  return command === undefined || command === '--help' ? 0 : 2
}

async function enrichKnowledge(isConfirmed: boolean, { settings, libraryDirectory, write, signal }: CommandContext): Promise<number> {
  if (settings.model.kind === 'builtin') {
    write('Enrichment needs a language model: set MODEL.\n')
    return 1
  }
  const passages = await readPassages(settings, write)
  const path = enrichmentFile(settings.dataDirectory)
  const known = await Enrichments.read(path)
  const missing = passages.filter((passage) => !known.has(passage))
  write(`${passages.length} passages, ${passages.length - missing.length} of them enriched already.\n`)
  if (missing.length === 0) return 0
  write(`${priceOf(missing, settings)}\n`)
  if (!isConfirmed) {
    write('Nothing was sent. Run it again with --yes to start: npm run knowledge -- enrich --yes\n')
    return 0
  }
  await mkdir(settings.dataDirectory, { recursive: true, mode: 0o700 })
  const onWarning = (message: string) => write(`${message}\n`)
  const local = await startLocalModel({ model: settings.model, fallback: null }, localRuntimePaths(settings, libraryDirectory), onWarning)
  try {
    return await runEnrichment(missing, path, await connectWriter(settings, local, onWarning), write, signal)
  } finally {
    await local?.close()
  }
}

async function runEnrichment(
  passages: readonly Passage[],
  path: string,
  writeEnrichment: WriteEnrichment,
  write: CommandContext['write'],
  signal: AbortSignal,
): Promise<number> {
  const onProgress = (done: number, failed: number) => {
    if ((done + failed) % PROGRESS_EVERY === 0) write(`${done + failed} of ${passages.length}\n`)
  }
  const { done, failed, gaveUp } = await enrich({ passages, path, write: writeEnrichment, signal, onProgress })
  write(`${done} passages enriched, ${failed} failed. The server uses them from its next start.\n`)
  if (gaveUp) write('Stopped: too many passages in a row failed. Check MODEL and its endpoint, and run it again.\n')
  return failed > 0 || signal.aborted ? 1 : 0
}

async function readPassages({ knowledgeDirectory, knowledgeLanguages }: Settings, write: CommandContext['write']): Promise<Passage[]> {
  const onProblem = (problem: string) => write(`${problem}\n`)
  const extraction = new ExtractionProcess()
  const extract = (request: ExtractionRequest) => extraction.extract(request)
  const folder = { directory: knowledgeDirectory, languages: knowledgeLanguages }
  const { index } = await openFolderIndexer({ ...folder, store: null, onProblem, extract }).finally(() => extraction.close())
  return [...index.passages()].map(([, passage]) => passage)
}

/** The estimated total cost, in words. */
function priceOf(passages: readonly Passage[], { model, prices }: Settings): string {
  const inputTokens = passages.reduce((sum, { title, heading, text }) => {
    return (
      sum + estimateCompletion({ instructions: INSTRUCTIONS, text: materialOf({ title, heading, text }), maxOutputTokens: 0 }).inputTokens
    )
  }, 0)
  const outputTokens = passages.length * USUAL_OUTPUT_TOKENS
  const { label } = describeModel(model)
  const price = prices.of(label)
  const cost = ((price?.input ?? 0) * inputTokens + (price?.output ?? 0) * outputTokens) / PRICE_TOKENS
  const costs = cost > 0 ? `about ${cost.toFixed(2)} by the prices of ${label}` : `price of ${label} unknown, or none`
  const count = (tokens: number) => tokens.toLocaleString('en')
  return `${passages.length} requests to ${label}: about ${count(inputTokens)} tokens to read and ${count(outputTokens)} to write (at most ${count(passages.length * MAX_OUTPUT_TOKENS)}); ${costs}.`
}

async function connectWriter(
  { model: settings }: Settings,
  local: LocalRuntime | null,
  onWarning: (message: string) => void,
): Promise<WriteEnrichment> {
  const model = await connectModel(settings, { limits: DEFAULT_LIMITS, quirks: new EndpointQuirks(), local, onWarning })
  return async ({ passage, ...request }) => (await completeInBackground(model, { ...request, text: materialOf(passage) })).text
}

function materialOf(passage: { title: string; heading: string; text: string }): string {
  return JSON.stringify(untrustedContent('a passage of the knowledge', passage))
}
