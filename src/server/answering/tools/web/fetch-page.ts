import { tool, zodSchema } from 'ai'
import { z } from 'zod'
import { EgressError, type EgressErrorReason } from '../../../egress/egress-error.ts'
import { createEgress, type Egress, readBody } from '../../../egress/egress.ts'
import { PUBLIC_ONLY } from '../../../egress/address-policy.ts'
import { ToolFailure } from '../guard-tool.ts'
import { type UntrustedContent, untrustedContent } from '../untrusted-content.ts'

const MAX_ADDRESS_CHARACTERS = 2_000
/** Most characters of a page's text, about 5,000 tokens. */
const MAX_TEXT_CHARACTERS = 20_000
const LIMITS = { connectTimeoutMs: 5_000, totalTimeoutMs: 15_000, maxBytes: 1024 * 1024, maxRedirects: 5 }
const HEADERS = { accept: 'text/html, text/plain, application/json;q=0.9', 'user-agent': 'parley' }
const HTML = /^(text\/html|application\/xhtml\+xml)$/
const TEXT = /^(text\/[\w.+-]+|application\/(?:[\w.+-]+\+)?(?:json|xml))$/

/** Failures as sentences for visitors, who may have named the address. */
const SENTENCES: Record<EgressErrorReason, string> = {
  'bad-address': 'This is not a web address.',
  'forbidden-address': 'This address is not on the public web.',
  unreachable: 'The page could not be reached.',
  'too-slow': 'The page took too long.',
  'too-large': 'The page is too long.',
  'too-many-redirects': 'The page redirects too often.',
  unreadable: 'The page could not be read.',
}

/** Fetches a page of the public web and returns its text. */
export function fetchPageTool(egress: Egress = createEgress({ addressPolicy: PUBLIC_ONLY, limits: LIMITS })) {
  return tool({
    description: 'Opens a page of the public web by its address (http or https) and returns its text.',
    inputSchema: zodSchema(z.object({ url: z.string().min(1).max(MAX_ADDRESS_CHARACTERS).describe('For example: https://example.org/') })),
    execute: ({ url }, { abortSignal }) => fetchPage(egress, url, abortSignal),
  })
}

/** Throws `ToolFailure` for an unreadable page. */
export async function fetchPage(egress: Egress, address: string, signal?: AbortSignal): Promise<UntrustedContent> {
  const url = URL.parse(address)
  if (!url) throw new ToolFailure(SENTENCES['bad-address'])
  try {
    const reply = await egress({ url, headers: HEADERS, signal })
    const isFound = reply.status >= 200 && reply.status <= 299
    const textOf = textReader(reply.headers.get('content-type') ?? 'text/html')
    if (!isFound || !textOf) {
      reply.body.destroy()
      throw new ToolFailure(isFound ? 'This is not a text page.' : `The page responded with status ${reply.status}.`)
    }
    const text = await textOf(await readBody(reply.body))
    const cut = text.length > MAX_TEXT_CHARACTERS
    const shown = { address: reply.url.href, text: cut ? text.slice(0, MAX_TEXT_CHARACTERS).toWellFormed() : text, ...(cut && { cut }) }
    return untrustedContent('a page of the web', shown)
  } catch (error) {
    throw error instanceof EgressError ? new ToolFailure(SENTENCES[error.reason]) : error
  }
}

/** Reads the text of a body of this type; `null` if it is no text. */
function textReader(contentType: string): ((bytes: Buffer) => Promise<string>) | null {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (!HTML.test(type) && !TEXT.test(type)) return null
  return async (bytes) => {
    // Loaded on first use.
    const { webTextOf } = await import('../../../knowledge/ingestion/extract/extract.ts')
    const text = webTextOf(bytes, contentType)
    if (!HTML.test(type)) return text
    const { markdownOf } = await import('../../../knowledge/ingestion/extract/html.ts')
    return markdownOf(text)
  }
}
