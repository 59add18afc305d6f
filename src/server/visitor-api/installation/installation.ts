import { z } from 'zod'
import { ConfigurationQuery, PrivacyNotice, PrivacyNoticeQuery, PublicConfiguration } from '../../../contract/config.ts'
import { Problem } from '../../../contract/problem.ts'
import { carriesToken } from '../../platform/bearer-token.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import { PROBLEM_CODES } from './operator-problem.ts'
import type { RouteOptions } from '../route-options.ts'
import type { FastifyReply } from 'fastify'
import type { Logo } from '../../branding/logo.ts'
import { manifestOf } from '../../branding/manifest.ts'
import { type Embed, embedTexts } from '../../config/embeds-file.ts'

const Health = z.object({ status: z.literal('ok') })
const Progress = z.object({ indexed: z.int().describe('Number of files.'), total: z.int() })
const EmbeddingProgress = z.object({ embedded: z.int().describe('Number of passages.'), total: z.int() })
const Readiness = Health.extend({
  problems: z.array(z.enum(PROBLEM_CODES)).describe('Areas with a problem for the operator to fix that does not prevent prompts.'),
  details: z.array(z.string()).optional().describe('The problems in sentences; only with `METRICS_TOKEN` as the bearer token.'),
  indexing: Progress.nullable().describe('Progress while the knowledge index is built; null when complete.'),
  embedding: EmbeddingProgress.nullable().describe('Progress while passages get vectors; searches use words, and the vectors so far.'),
})
const ANSWERS_ANY_HOST = { answersAnyHost: true } as const

export function installationRoutes(
  app: Server,
  { agents, configuration, banner, notice, isReady, writeProbe, problemsNow, operatorToken }: RouteOptions,
): void {
  const config = {
    summary: 'Retrieve the public configuration',
    tags: ['installation'],
    querystring: ConfigurationQuery,
    response: { 200: PublicConfiguration, default: Problem },
  }
  app.get('/api/v1/config', { schema: config }, async ({ query }) => ({
    ...configuration(query),
    banner: await banner(),
  }))

  const privacy = {
    summary: 'Retrieve the privacy notice as Markdown',
    tags: ['installation'],
    querystring: PrivacyNoticeQuery,
    response: { 200: PrivacyNotice, default: Problem },
  }
  app.get('/api/v1/privacy-notice', { schema: privacy }, async ({ query }) => notice.in(query.language))

  const health = { summary: 'Check that the process is alive', tags: ['installation'], response: { 200: Health, default: Problem } }
  app.get('/healthz', { schema: health, config: ANSWERS_ANY_HOST }, async () => ({ status: 'ok' as const }))

  const readiness = {
    summary: 'Check that the server accepts prompts',
    tags: ['installation'],
    response: { 200: Readiness, default: Problem },
  }
  app.get('/readyz', { schema: readiness, config: ANSWERS_ANY_HOST }, async (request, reply) => {
    if (!isReady()) return reject(reply, 'shutting_down')
    await writeProbe.check()
    const problems = problemsNow()
    const details = operatorToken !== null && carriesToken(request, operatorToken) && problems.map(({ detail }) => detail)
    const codes = [...new Set(problems.map(({ code }) => code))]
    return {
      status: 'ok' as const,
      problems: codes,
      ...(details && { details }),
      indexing: agents.knowledge.progress,
      embedding: agents.knowledge.embeddingProgress,
    }
  })
}

const ONE_DAY_S = 24 * 60 * 60

export function brandingRoutes(app: Server, logo: Logo | null, configuration: () => Pick<PublicConfiguration, 'name' | 'branding'>): void {
  const picture = {
    summary: 'Download the logo',
    tags: ['installation'],
    querystring: z.strictObject({ version: z.string().max(16).optional().describe('Version in the logo address of the configuration.') }),
    produces: ['image/svg+xml', 'image/png', 'image/webp'],
    response: { default: Problem },
  }
  app.get('/api/v1/logo', { schema: picture }, async (_request, reply) => {
    if (!logo) return reject(reply, 'not_found')
    return sendPicture(reply, logo)
  })

  app.get('/manifest.webmanifest', { schema: { hide: true } as never }, (_request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .type('application/manifest+json')
      .send(JSON.stringify(manifestOf(configuration(), logo))),
  )
}

function sendPicture(reply: FastifyReply, { type, bytes }: Logo): FastifyReply {
  return reply.header('cache-control', `public, max-age=${ONE_DAY_S}`).type(type).send(bytes)
}

interface EmbedSettingsOptions {
  embeds: ReadonlyMap<string, Embed>
  frameAncestors: readonly string[]
}

/** Tells `embed.js`, as a module, whether the page's origin can embed the chat, and the named embed's label, colour and theme. */
export function embedSettingsRoute(app: Server, { embeds, frameAncestors }: EmbedSettingsOptions): void {
  app.get('/embed-settings.js', { schema: { hide: true } as never }, (request, reply) => {
    const { data: query } = ConfigurationQuery.safeParse(request.query)
    const embed = query?.embed === undefined ? {} : embeds.get(query.embed)
    if (!query || !embed) return reject(reply, 'not_found')
    const { origin } = request.headers
    // The demo is a page of the chat's own host, where staff see what they change.
    const isOwn = origin === undefined || URL.parse(origin)?.host === request.host
    const isListed = isOwn || (embed.origins ?? frameAncestors).includes(origin)
    const { label } = embedTexts(embed, query.language?.split('-', 1)[0])
    const settings = { isListed, label, color: embed.color, theme: embed.theme }
    return reply
      .headers({ 'cache-control': isOwn ? 'no-cache' : 'max-age=300', vary: 'origin' })
      .type('text/javascript')
      .send(`export default ${JSON.stringify(settings)}`)
  })
}
