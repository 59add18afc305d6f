import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import fastifyStatic from '@fastify/static'
import { type Server, withMethodsRejected } from './server.ts'

/** Names of built files contain a hash of their content, so browsers can cache them. */
const HASHED = /[\\/]assets[\\/]/

/** Serves the built page, compressed at build time. Returns `false` if it is not built. */
export async function staticFiles(app: Server, directory: string): Promise<boolean> {
  if (!existsSync(join(directory, 'index.html'))) return false
  const etags = new Map<string, string>()
  await app.register(async (files) => {
    files.addHook('onSend', async (request, reply, payload) => {
      const etag = reply.getHeader('etag')
      if (!etag || !request.headers['if-none-match']?.includes(String(etag))) return payload
      // A HEAD request has no content.
      if (payload instanceof Readable) payload.destroy()
      reply.code(304).removeHeader('content-length')
      return null
    })
    await files.register(fastifyStatic, {
      root: directory,
      preCompressed: true,
      cacheControl: false,
      // All files of an archive have the same time, and those of two releases can have the same size.
      etag: false,
      lastModified: false,
      index: false,
      dotfiles: 'ignore',
      setHeaders: (reply, path, { mtimeMs }) => {
        if (HASHED.test(path)) return void reply.header('cache-control', 'public, max-age=31536000, immutable')
        const key = `${mtimeMs} ${path}`
        if (!etags.has(key)) etags.set(key, `"${createHash('sha256').update(readFileSync(path)).digest('base64url')}"`)
        reply.header('cache-control', 'no-cache').header('etag', etags.get(key))
      },
    })
    // The plugin's own index ignores compressed files.
    withMethodsRejected(files, () => files.get('/', { schema: { hide: true } as never }, (_request, reply) => reply.sendFile('index.html')))
  })
  return true
}
