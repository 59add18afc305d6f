import { z } from 'zod'
import { ConfigurationQuery, PrivacyNotice, PrivacyNoticeQuery, PublicConfiguration } from '../../../contract/config.ts'
import { Problem } from '../../../contract/problem.ts'
import { carriesToken } from '../../platform/bearer-token.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import { PROBLEM_CODES } from './operator-problem.ts'
import type { RouteOptions } from '../route-options.ts'

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

/** Public facts about the installation: configuration, privacy notice and health. */
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
