import { once } from 'node:events'
import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isMissing } from '../../support/services.ts'
import { createClock } from './clock.ts'
import { freeze } from './freeze.ts'
import { startModelProcess } from './model-process.ts'
import { mountSmallDisk } from './small-disk.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

describe('the proxy', () => {
  const sent = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 251))
  // Sends a greeting, then echoes.
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.write(sent)
    socket.pipe(socket)
  })
  let proxy: TcpProxy
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    proxy = await startTcpProxy(`127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
  afterAll(async () => {
    await proxy.close()
    server.close()
  })

  /** Reads until the connection ends or enough was received. */
  async function receive(enough = Number.POSITIVE_INFINITY): Promise<{ bytes: Buffer; end: 'end' | 'error' | 'enough' }> {
    const socket = connect({ port: proxy.port, host: '127.0.0.1' })
    const pieces: Buffer[] = []
    const bytes = () => Buffer.concat(pieces)
    return new Promise((resolve) => {
      const finish = (end: 'end' | 'error' | 'enough') => {
        socket.destroy()
        resolve({ bytes: bytes(), end })
      }
      socket.on('data', (piece) => {
        pieces.push(piece)
        if (bytes().length >= enough) finish('enough')
      })
      socket.on('end', () => finish('end'))
      socket.on('error', () => finish('error'))
    })
  }

  const down = (fault: Parameters<TcpProxy['set']>[1]) => proxy.set('down', fault)

  test('forwards everything by default', async () => {
    down({ kind: 'none' })
    expect((await receive(1000)).bytes).toEqual(sent)
  })

  test('cuts and resets after a number of bytes', async () => {
    down({ kind: 'cut', afterBytes: 600 })
    expect(await receive()).toEqual({ bytes: sent.subarray(0, 600), end: 'end' })
    down({ kind: 'reset', afterBytes: 0 })
    expect((await receive()).end).toBe('error')
  })

  test('throttles, delays and corrupts without losing a byte', async () => {
    down({ kind: 'drip', bytes: 100, everyMs: 1 })
    expect((await receive(1000)).bytes).toEqual(sent)
    down({ kind: 'delay', ms: 5 })
    expect((await receive(1000)).bytes).toEqual(sent)
    down({ kind: 'corrupt', everyBytes: 100 })
    const { bytes } = await receive(1000)
    expect(bytes.filter((byte, index) => byte !== sent[index])).toHaveLength(10)
  })

  test('closes one direction and keeps the other open', async () => {
    down({ kind: 'half-close', afterBytes: 10 })
    const socket = connect({ port: proxy.port, host: '127.0.0.1', allowHalfOpen: true })
    socket.resume()
    await once(socket, 'end')
    expect(socket.writable).toBe(true)
    socket.destroy()
  })

  test('stalls and swallows until reset', async () => {
    for (const kind of ['stall', 'black-hole'] as const) {
      down({ kind })
      const socket = connect({ port: proxy.port, host: '127.0.0.1' })
      let received = 0
      socket.on('error', () => undefined)
      socket.on('data', (piece) => (received += piece.length))
      await expect.poll(() => proxy.openConnections()).toBeGreaterThan(0)
      await pause(50)
      expect(received).toBe(0)
      down({ kind: 'none' })
      socket.write('x')
      const expected = kind === 'stall' ? 1001 : 1
      await expect.poll(() => received).toBe(expected)
      expect(proxy.resetAll()).toBeGreaterThan(0)
      await expect.poll(() => socket.destroyed).toBe(true)
    }
  })

  test('refuses connections when told to', async () => {
    proxy.refuse(true)
    expect((await receive()).end).toBe('error')
    proxy.refuse(false)
  })

  test('puts its own port into an address', () => {
    expect(proxy.through('postgres://me@127.0.0.1:5432/name')).toBe(`postgres://me@127.0.0.1:${proxy.port}/name`)
    expect(proxy.through('http://localhost:1/v1')).toBe(`http://127.0.0.1:${proxy.port}/v1`)
  })
})

test.skipIf(isMissing('tmpfs'))('a small disk is full when filled, and has room again afterwards', () => {
  const disk = mountSmallDisk(256 * 1024)
  try {
    const file = join(disk.path, 'file')
    writeFileSync(file, 'a')
    const giveBack = disk.fill()
    expect(disk.freeBytes()).toBe(0)
    expect(() => appendFileSync(file, Buffer.alloc(8192))).toThrow('ENOSPC')
    giveBack()
    appendFileSync(file, Buffer.alloc(8192))
  } finally {
    disk.remove()
  }
  expect(existsSync(disk.path)).toBe(false)
})

test.skipIf(isMissing('libfaketime'))('a clock jumps while its process runs, and the monotonic clock does not', async () => {
  const clock = createClock()
  const program = 'setInterval(() => console.log(JSON.stringify([Date.now(), performance.now()])), 20)'
  const child = spawn(process.execPath, ['-e', program], { env: { ...process.env, ...clock.env } })
  const readings: [number, number][] = []
  child.stdout.on('data', (text: Buffer) => {
    for (const line of text.toString().trim().split('\n')) readings.push(JSON.parse(line) as [number, number])
  })
  const offset = () => (readings.at(-1)?.[0] ?? 0) - Date.now()
  try {
    await expect.poll(() => readings.length).toBeGreaterThan(0)
    expect(Math.abs(offset())).toBeLessThan(60_000)
    const year = 365 * 24 * 60 * 60
    for (const seconds of [3600, year, -3600]) {
      clock.setOffset(seconds)
      await expect.poll(() => Math.abs(offset() - seconds * 1000)).toBeLessThan(60_000)
    }
    expect(readings.at(-1)?.[1]).toBeLessThan(60_000)
  } finally {
    child.kill('SIGKILL')
    clock.remove()
  }
})

test('a model in its own process follows its script, reports its requests, and can be frozen', async () => {
  const model = await startModelProcess()
  const ask = (content: string) =>
    fetch(`${model.baseUrl}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }),
    })
  try {
    await model.script('greet', [{ text: 'hello' }])
    expect(await (await ask('greet me')).text()).toContain('hello')
    expect(await model.prompts()).toEqual(['greet me'])
    const thaw = freeze(model.pid)
    let answered = false
    const asking = ask('greet again').then(() => (answered = true))
    await pause(100)
    expect(answered).toBe(false)
    thaw()
    expect(await asking).toBe(true)
  } finally {
    await model.close()
  }
})
