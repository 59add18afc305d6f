import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { Server } from './server.ts'

/** Names of built files hold a hash of their content: a browser may keep them. */
const HASHED = /[\\/]assets[\\/]/

/** Serves the built page, compressed at build time. Says false when there is none. */
export async function staticFiles(app: Server, directory: string): Promise<boolean> {
  if (!existsSync(join(directory, 'index.html'))) return false
  await app.register(fastifyStatic, {
    root: directory,
    preCompressed: true,
    cacheControl: false,
    index: false,
    dotfiles: 'ignore',
    setHeaders: (reply, path) => {
      reply.header('cache-control', HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  // The plugin's own index does not look for its compressed form.
  app.get('/', { schema: { hide: true } as never }, (_request, reply) => reply.sendFile('index.html'))
  return true
}
