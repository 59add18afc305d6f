import { Cron } from 'croner'
import { LineCounter, parseDocument } from 'yaml'
import { z } from 'zod'
import { UPLOADS_SOURCE } from '../files/list-source-pages.ts'

export const SOURCES_FILE = 'sources.yaml'
const MAX_SOURCES = 50
const MAX_PATTERNS = 100
const MAX_WEBSITES = 20

const PATTERN = z.string().trim().min(1).max(200).regex(/^\//, 'must begin with "/"')

const WEBSITE = z
  .url({ protocol: /^https?$/, message: 'must be an http or https address' })
  .max(2_000)
  .refine((address) => !/[@#]/.test(address), 'must have neither a password nor a fragment')

const SourceFields = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be lowercase letters, digits and hyphens')
    .refine((id) => id !== UPLOADS_SOURCE, `must not be "${UPLOADS_SOURCE}", which are the documents that staff upload`),
  /** Sitemaps and start pages, on one host or several. */
  website: z.preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(WEBSITE).min(1).max(MAX_WEBSITES)),
  /** Whether links are followed. A sitemap alone names its pages. */
  crawl: z.boolean().default(false),
  include: z.array(PATTERN).max(MAX_PATTERNS).default([]),
  exclude: z.array(PATTERN).max(MAX_PATTERNS).default([]),
  every: z.string().trim().min(1).max(100).optional(),
  timezone: z.string().refine(isTimeZone, 'must be a time zone, such as Europe/Berlin').default('UTC'),
  limits: z
    .strictObject({
      pages: z.int().min(1).max(20_000).default(5_000),
      depth: z.int().min(0).max(20).default(6),
      bytesPerPage: z.int().min(10_000).max(64_000_000).default(2_000_000),
    })
    .prefault({}),
  /** Seconds between two requests; robots.txt may ask for more. */
  delay: z.number().min(0).max(60).default(0.5),
  network: z.enum(['public', 'private'], 'must be public or private').default('public'),
})

const Source = SourceFields.superRefine(({ every, timezone }, context) => {
  const mistake = every === undefined ? null : scheduleMistake(every, timezone)
  if (mistake) context.addIssue({ code: 'custom', path: ['every'], message: mistake })
})

/** A website that agents answer from, as `sources.yaml` defines it. */
export type SourceDefinition = z.infer<typeof Source>

export interface SourceDefinitions {
  sources: SourceDefinition[]
  /** Mistakes in the file, in sentences. A source with a mistake is left out. */
  mistakes: string[]
  /** Whether the file could be parsed. If not, what is stored about its sources has to stay. */
  isReadable: boolean
}

export function readSourceDefinitions(text: string): SourceDefinitions {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true })
  const [error] = document.errors
  if (error) return { sources: [], mistakes: [`line ${error.linePos?.[0].line ?? 1}: it is not valid YAML.`], isReadable: false }
  const list = z.strictObject({ sources: z.array(z.unknown()).max(MAX_SOURCES) }).safeParse(parsed(document))
  if (!list.success)
    return { sources: [], mistakes: [`it must have one key "sources" with a list of up to ${MAX_SOURCES} sources.`], isReadable: false }
  const sources = new Map<string, SourceDefinition>()
  const mistakes: string[] = []
  for (const [index, value] of list.data.sources.entries()) {
    const node = document.getIn(['sources', index], true) as { range?: [number, number, number] } | undefined
    const line = lines.linePos(node?.range?.[0] ?? 0).line
    const source = Source.safeParse(value)
    if (!source.success) mistakes.push(...source.error.issues.map((issue) => `line ${line}: ${sentenceOf(issue)}`))
    else if (sources.has(source.data.id)) mistakes.push(`line ${line}: the id "${source.data.id}" is that of another source.`)
    else sources.set(source.data.id, source.data)
  }
  return { sources: [...sources.values()], mistakes, isReadable: true }
}

/** `undefined` where aliases would expand beyond the parser's limit. */
function parsed(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS({ maxAliasCount: 20 })
  } catch {
    return undefined
  }
}

function sentenceOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `${issue.keys.join(', ')}: no such key of a source.`
  const key = issue.path.join('.').replace(/^website\.0$/, 'website')
  return issue.code === 'invalid_type' && issue.input === undefined ? `${key} is missing.` : `${key}: ${issue.message}.`
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

function scheduleMistake(every: string, timezone: string): string | null {
  try {
    const schedule = new Cron(every, { timezone, paused: true, mode: '5-part' })
    return schedule.nextRun() === null ? 'never happens' : null
  } catch {
    return 'must be a cron expression of five fields, such as "15 3 * * *"'
  }
}
