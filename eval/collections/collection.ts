import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { normalized } from '../../src/server/insights/evaluation/source-ranks.ts'

const Quotation = z.string().min(30).max(200)

const Question = z.strictObject({
  natural: z.string().min(1),
  keywords: z.string().min(1),
  german: z.string().min(1).optional(),
  gold: z.array(Quotation).min(1).describe('Sentences of the documents, each of which answers the question by itself.'),
})
export type Question = z.infer<typeof Question>

/** A question set over the documents of one Debian package. */
export const Collection = z.strictObject({
  package: z.string().regex(/^[a-z0-9][a-z0-9.+-]+$/),
  version: z.string().describe('The version that the questions were written for.'),
  folder: z.string().describe('Folder of the English pages inside the package.'),
  use: z.enum(['tuning', 'held-out']),
  questions: z.array(Question).min(1),
  unanswerable: z.array(z.string().min(1)).min(1),
})
export type Collection = z.infer<typeof Collection>

const QUESTIONS_DIRECTORY = import.meta.dirname
/** Downloaded documents; never committed. */
export const CACHE_DIRECTORY = join(import.meta.dirname, '../../.runtime/eval-collections')

/** All question sets, by name of package; tuning sets first. */
export function readCollections(): Collection[] {
  const files = readdirSync(QUESTIONS_DIRECTORY).filter((file) => file.endsWith('.yaml'))
  const collections = files.map((file) => Collection.parse(parse(readFileSync(join(QUESTIONS_DIRECTORY, file), 'utf8'))))
  return collections.toSorted((one, other) => (one.use === other.use ? 0 : one.use === 'tuning' ? -1 : 1))
}

/** Folder of a collection's pages after a download. */
export function pagesDirectory({ package: name }: Pick<Collection, 'package'>): string {
  return join(CACHE_DIRECTORY, name, 'pages')
}

export function isFetched(collection: Pick<Collection, 'package'>): boolean {
  return existsSync(pagesDirectory(collection))
}

/** Whether the text contains a quotation that answers the question. */
export function answers(text: string, { gold }: Pick<Question, 'gold'>): boolean {
  const words = normalized(text)
  return gold.some((quotation) => words.includes(normalized(quotation)))
}
