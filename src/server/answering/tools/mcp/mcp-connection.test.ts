import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EverythingServer, startEverything } from '../../../../../test/support/everything.ts'
import { webStreamOf } from '../../../egress/egress-fetch.ts'
import { OutputWithImages } from '../tool-images.ts'
import { fetchWatched } from './guarded-fetch.ts'
import { connectMcp, type McpConnection } from './mcp-connection.ts'
import type { McpServerSettings } from './mcp-settings.ts'
import { mcpTool } from './mcp-servers.ts'

const settingsOf = (url: string, kind: 'http' | 'sse'): McpServerSettings => ({ kind, url, headers: {}, shared: false, approval: false })

describe('a server with only the transport of before 2025', () => {
  let server: EverythingServer
  beforeAll(async () => {
    server = await startEverything(undefined, 'sse')
  })
  afterAll(() => server.stop())

  test.each(['http', 'sse'] as const)('connects with the type %s', async (kind) => {
    const settings = settingsOf(server.url, kind)
    for (const time of ['first', 'second']) {
      const connection = await connectMcp({ settings, onLost: () => undefined })
      expect((await connection.listTools()).map(({ name }) => name)).toContain('echo')
      const result = await connection.call('echo', { message: time }, undefined)
      expect(JSON.stringify(result)).toContain(`Echo: ${time}`)
      await connection.close()
    }
  })

  test('is disconnected when its stream ends', async () => {
    const own = await startEverything(undefined, 'sse')
    const lost = Promise.withResolvers<void>()
    const connection = await connectMcp({ settings: settingsOf(own.url, 'http'), onLost: lost.resolve })
    await own.stop()
    await lost.promise
    expect(connection.isLost).toBe(true)
    await connection.close()
  })
})

test.each([
  [400, true],
  [401, false],
  [404, true],
  [405, true],
  [500, false],
])('tries the older transport after the status %i: %s', async (status, isTried) => {
  const methods: string[] = []
  const server = createServer((request, response) => {
    methods.push(request.method ?? '')
    response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  await expect(connectMcp({ settings: settingsOf(url, 'http'), onLost: () => undefined })).rejects.toThrow(String(status))
  // Streamable HTTP posts; the older transport opens its stream first.
  expect(methods.at(-1)).toBe(isTried ? 'GET' : 'POST')
  server.close()
})

test('bounds a line of a stream, but not the stream', async () => {
  let ends = 0
  const options = { maxLineBytes: 10, onEnd: () => (ends += 1) }
  const textOf = async (...pieces: string[]) => {
    const body = webStreamOf(Readable.from(pieces.map((piece) => Buffer.from(piece))))
    return (await fetchWatched(async () => new Response(body), options)('http://x')).text()
  }
  expect(await textOf('data: 1\n\n', 'data: 2\n\n')).toBe('data: 1\n\ndata: 2\n\n')
  expect(await textOf('data: ', '12345', '6\n')).toBe('data: ')
  expect(ends).toBe(2)
})

describe('images', () => {
  const PNG = Buffer.from('\x89PNG\r\n\x1a\n a cat', 'latin1').toString('base64')

  /** The tool output for a server's content. */
  async function outputOf(content: object[]) {
    const result = { content } as Awaited<ReturnType<McpConnection['call']>>
    const tool = mcpTool('camera', { name: 'photo', inputSchema: { type: 'object' } }, async () => result)
    if (typeof tool === 'string') throw new Error(tool)
    return tool.execute?.({}, { toolCallId: 'a', messages: [], context: { chat: 'c' } }) as Promise<unknown>
  }

  test('accompany the text that names them', async () => {
    const output = await outputOf([
      { type: 'text', text: 'Here.' },
      { type: 'image', data: PNG, mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'file:///cat.png', mimeType: 'image/png', blob: PNG } },
    ])
    const image = { mediaType: 'image/png', base64: PNG }
    expect(output).toEqual(new OutputWithImages(expect.anything(), [image, image]))
    const { content } = (output as OutputWithImages).output as { content: string }
    expect(content).toBe('Here.\n[image image/png, not in this text]\n[resource image/png file:///cat.png, not in this text]')
  })

  test.each([
    ['are of no known kind', { type: 'image', data: Buffer.from('<svg/>').toString('base64'), mimeType: 'image/svg+xml' }],
    ['are not what they say', { type: 'image', data: Buffer.from('%PDF-1.7').toString('base64'), mimeType: 'image/png' }],
    ['are too large', { type: 'image', data: PNG + 'A'.repeat(7_000_000), mimeType: 'image/png' }],
  ])('are only mentioned where they %s', async (_, part) => {
    expect(await outputOf([part])).toMatchObject({ content: expect.stringContaining('not in this text') })
  })
})
