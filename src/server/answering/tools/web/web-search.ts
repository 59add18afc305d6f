import { tool, zodSchema } from 'ai'
import { z } from 'zod'
import { createEgress, type Egress, readBody } from '../../../egress/egress.ts'
import { OPERATOR_ALLOWED } from '../../../egress/address-policy.ts'
import { ToolFailure } from '../guard-tool.ts'
import { parseJson } from '../../../../text/parse-json.ts'
import { type UntrustedContent, untrustedContent } from '../untrusted-content.ts'

const MAX_QUERY_CHARACTERS = 400
const MAX_RESULTS = 8
const MAX_FIELD_CHARACTERS = 600
const LIMITS = { connectTimeoutMs: 5_000, totalTimeoutMs: 15_000, maxBytes: 2 * 1024 * 1024, maxRedirects: 0 }

/** The part of a SearXNG response that is used. */
const Reply = z.object({
  results: z.array(z.object({ url: z.string(), title: z.string().nullish(), content: z.string().nullish() })),
})

/** Searches the web through the operator's endpoint, compatible with SearXNG: `GET {endpoint}?q=…&format=json`. */
export function webSearchTool(endpoint: string, egress: Egress = createEgress({ addressPolicy: OPERATOR_ALLOWED, limits: LIMITS })) {
  return tool({
    description: 'Searches the web. Returns addresses, titles and excerpts of pages, best first.',
    inputSchema: zodSchema(z.object({ query: z.string().trim().min(1).max(MAX_QUERY_CHARACTERS).describe('A few key words') })),
    async execute({ query }, { abortSignal }): Promise<UntrustedContent> {
      const url = new URL(endpoint)
      url.searchParams.set('q', query)
      url.searchParams.set('format', 'json')
      const { status, body } = await egress({ url, headers: { accept: 'application/json' }, signal: abortSignal })
      const text = (await readBody(body)).toString()
      // The message may contain the visitor's query.
      if (status !== 200) throw new ToolFailure(`The search responded with status ${status}.`)
      return untrustedContent('a search of the web', resultsOf(text))
    },
  })
}

function resultsOf(text: string) {
  const reply = Reply.safeParse(parseJson(text))
  if (!reply.success) throw new ToolFailure('The search returned an invalid response.')
  return reply.data.results
    .filter(({ url }) => /^https?:\/\//.test(url))
    .slice(0, MAX_RESULTS)
    .map(({ url, title, content }) => ({ url: cut(url), title: cut(title ?? ''), excerpt: cut(content ?? '') }))
}

function cut(text: string): string {
  return text.slice(0, MAX_FIELD_CHARACTERS).toWellFormed()
}
