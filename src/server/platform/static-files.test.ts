import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { staticFiles } from './static-files.ts'

const directory = mkdtempSync(join(tmpdir(), 'parley-static-'))
afterAll(() => rmSync(directory, { recursive: true }))

/** Asks a server that has just been started on a release with this page, as `tar` unpacks it: without a time. */
async function ask(page: string, headers: Record<string, string> = {}) {
  for (const name of ['index.html', 'index.html.br']) {
    writeFileSync(join(directory, name), page)
    utimesSync(join(directory, name), 0, 0)
  }
  const app = fastify()
  await staticFiles(app, directory)
  const replies = await Promise.all(['/', '/index.html'].map((url) => app.inject({ url, headers })))
  const heads = await Promise.all(['/', '/index.html'].map((url) => app.inject({ method: 'HEAD', url, headers })))
  expect(heads.map(({ statusCode }) => statusCode)).toEqual(replies.map(({ statusCode }) => statusCode))
  await app.close()
  return replies
}

test.each(['identity', 'br'])(
  'a page of the same size and time is another one, and the same page is not sent again (%s)',
  async (encoding) => {
    const [before] = await ask('<script src="/assets/main-aaaa.js">', { 'accept-encoding': encoding })
    const known = {
      'accept-encoding': encoding,
      'if-none-match': String(before?.headers['etag']),
      'if-modified-since': new Date().toUTCString(),
    }
    for (const reply of await ask('<script src="/assets/main-bbbb.js">', known)) {
      expect(reply).toMatchObject({ statusCode: 200, body: '<script src="/assets/main-bbbb.js">' })
      expect(reply.headers['last-modified']).toBeUndefined()
    }
    for (const reply of await ask('<script src="/assets/main-aaaa.js">', known)) expect(reply).toMatchObject({ statusCode: 304, body: '' })
  },
)
