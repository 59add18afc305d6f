import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { Server } from './server.ts'

/** Names of built files contain a hash of their content, so browsers can cache them. */
const HASHED = /[\\/]assets[\\/]/

/** Serves the built page, compressed at build time. Returns `false` if it is not built. */
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
  // The plugin's own index ignores compressed files.
  app.get('/', { schema: { hide: true } as never }, (_request, reply) => reply.sendFile('index.html'))
  return true
}
