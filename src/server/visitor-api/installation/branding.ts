import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { PublicConfiguration } from '../../../contract/config.ts'
import { Problem } from '../../../contract/problem.ts'
import type { Logo } from '../../branding/logo.ts'
import { manifestOf } from '../../branding/manifest.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'

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
