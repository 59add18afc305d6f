import { parse } from 'yaml'
import { isoDateOf } from './extract/page-facts.ts'

const FENCED = /^\uFEFF?(?:---[ \t]*\n([\s\S]*?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)|\+\+\+[ \t]*\n([\s\S]*?)\n\+\+\+[ \t]*(?:\n|$))/
const DATES = ['last_modified', 'last_modified_at', 'lastmod', 'modified', 'updated', 'last_updated', 'date', 'pubdate', 'published']

export interface FrontMatter {
  title: string | null
  asOf: string | null
  /** Characters before the text. */
  length: number
}

/** Reads the YAML or plain TOML before a text. Throws if it says that the file is a draft. */
export function readFrontMatter(markdown: string): FrontMatter {
  const match = FENCED.exec(markdown)
  const fields = match && fieldsOf(match[1] ?? (match[2] ?? '').replace(/^([\w-]+)\s*=/gm, '$1:'))
  if (!match || !fields) return { title: null, asOf: null, length: 0 }
  const states = (names: string[], words: RegExp) => names.some((name) => words.test(`${fields.get(name) as string | boolean}`.trim()))
  if (
    states(['draft'], /^(?:true|yes|on|y|1)$/i) ||
    states(['published'], /^(?:false|no|off|n|0)$/i) ||
    states(['status', 'state'], /^draft$/i)
  )
    throw new Error('It is a draft.')
  const title = fields.get('title')
  return {
    title: typeof title === 'string' && title.trim() !== '' ? title.trim() : null,
    asOf: DATES.flatMap((name) => dateOf(fields.get(name)) ?? [])[0] ?? null,
    length: match[0].length,
  }
}

const dateOf = (value: unknown): string | null => (typeof value === 'string' || value instanceof Date ? isoDateOf(value.valueOf()) : null)

/** By lower-case names. Null for what is no list of fields but text between two lines. */
function fieldsOf(text: string): Map<string, unknown> | null {
  if (text.trim() === '') return new Map()
  const fields = /^[\w-]+[ \t]*:/m.test(text) && /^(?:[\w#]|$)/.test(text) ? parsed(text) : null
  return fields && new Map(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]))
}

function parsed(text: string): object | null {
  try {
    const value: unknown = parse(text, { logLevel: 'error', maxAliasCount: 0 })
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    // Templates write values that are no YAML; their plain lines are read.
    return Object.fromEntries(
      [...text.matchAll(/^([\w-]+)[ \t]*:[ \t]*(.*)$/gm)].map(([, name = '', value = '']) => [
        name,
        value.trim().replace(/^(["'])(.*)\1$/, '$2'),
      ]),
    )
  }
}
