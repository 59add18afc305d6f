import { createHash } from 'node:crypto'
import { appendFile, mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Passage } from '../ingestion/passages.ts'

const MAX_CONTEXT_CHARACTERS = 300
const MAX_QUESTION_CHARACTERS = 200
export const QUESTIONS = 3
const MAX_ENTRIES = 500_000

const line = (max: number) =>
  z
    .string()
    .transform((value) => value.replace(/\s+/g, ' ').trim())
    .pipe(z.string().min(1).max(max))

/** Questions and keywords that a model wrote for a passage. Used for search only, never shown or sent to another model. */
export const Enrichment = z.object({
  context: line(MAX_CONTEXT_CHARACTERS),
  questions: z.array(line(MAX_QUESTION_CHARACTERS)).length(QUESTIONS),
})
export type Enrichment = z.infer<typeof Enrichment>

const Entry = Enrichment.extend({ hash: z.string().length(43) })

/** Path of the file of enrichments, one JSON object per line. */
export function enrichmentFile(dataDirectory: string): string {
  return join(dataDirectory, 'knowledge', 'enrichment.jsonl')
}

/** Enrichments by the content of their passages. */
export class Enrichments {
  readonly #entries: ReadonlyMap<string, Enrichment>
  /** Changes with the enrichments. */
  readonly version: string

  private constructor(entries: ReadonlyMap<string, Enrichment>, version: string) {
    this.#entries = entries
    this.version = version
  }

  static readonly none = new Enrichments(new Map(), '')

  /** Reads the file. Skips invalid lines, which a crash may leave. */
  static async read(path: string | null): Promise<Enrichments> {
    if (path === null) return Enrichments.none
    const entries = new Map<string, Enrichment>()
    const version = createHash('sha256')
    const file = await open(path).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOENT') return null
      throw cause
    })
    if (!file) return Enrichments.none
    for await (const text of file.readLines()) {
      const entry = Entry.safeParse(parsed(text))
      if (!entry.success || entries.size >= MAX_ENTRIES) continue
      const { hash, ...enrichment } = entry.data
      entries.set(hash, enrichment)
      version.update(text)
    }
    return new Enrichments(entries, version.digest('base64url'))
  }

  get size(): number {
    return this.#entries.size
  }

  has(passage: Passage): boolean {
    return this.#entries.has(contentHash(passage))
  }

  /** The passage with its enrichment applied. */
  applied(passage: Passage): Passage {
    const enrichment = this.#entries.get(contentHash(passage))
    if (!enrichment) return passage
    return { ...passage, keywords: [passage.keywords, enrichment.context, ...enrichment.questions].filter(Boolean).join('\n') }
  }
}

/** Adds an enrichment to the end of the file. */
export async function appendEnrichment(path: string, passage: Passage, enrichment: Enrichment): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  // Starts with a line break, since a crash may have left an incomplete line.
  await appendFile(path, `\n${JSON.stringify({ hash: contentHash(passage), ...enrichment })}\n`, { mode: 0o600 })
}

function contentHash({ title, heading, text }: Passage): string {
  return createHash('sha256')
    .update(JSON.stringify([title, heading, text]))
    .digest('base64url')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
