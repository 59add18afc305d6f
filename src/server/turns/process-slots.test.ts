import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ProcessSlots } from './process-slots.ts'

let folder: string
const taken: ProcessSlots[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-slots-'))
})
afterEach(() => {
  for (const slots of taken.splice(0)) slots.release()
  rmSync(folder, { recursive: true })
})

async function take(): Promise<ProcessSlots> {
  const slots = await ProcessSlots.take(folder)
  taken.push(slots)
  return slots
}

/** Whether `act` ran. */
async function runsWhileDead(slots: ProcessSlots, instance: string): Promise<boolean> {
  let hasRun = false
  await slots.whileDead(instance, async () => {
    await Promise.resolve()
    hasRun = true
  })
  return hasRun
}

test('each process of a folder has its own name, which the next process in its slot takes over', async () => {
  const first = await take()
  const second = await take()
  const folderId = readFileSync(join(folder, 'folder-id'), 'utf8').trim()
  expect(folderId).toMatch(/^[\da-f]{16}$/)
  expect([first.instance, second.instance]).toEqual([`${folderId}-1`, `${folderId}-2`])
  first.release()
  taken.shift()
  expect((await take()).instance).toBe(`${folderId}-1`)
})

test('processes that start together agree on the id of their folder', async () => {
  const slots = await Promise.all(Array.from({ length: 3 }, take))
  expect(new Set(slots.map(({ instance }) => instance.replace(/-\d+$/, ''))).size).toBe(1)
  expect(new Set(slots.map(({ instance }) => instance)).size).toBe(3)
})

test('a folder has a process until the last one ends', async () => {
  expect(await ProcessSlots.isAnyTaken(folder)).toBe(false)
  expect(await ProcessSlots.isAnyTaken(join(folder, 'missing'))).toBe(false)
  writeFileSync(join(folder, 'file'), '')
  await expect(ProcessSlots.isAnyTaken(join(folder, 'file'))).rejects.toThrow('ENOTDIR')
  const slots = await take()
  writeFileSync(join(folder, 'parley.db'), '')
  const files = readdirSync(folder)
  expect(await ProcessSlots.isAnyTaken(folder)).toBe(true)
  expect(readdirSync(folder)).toEqual(files)
  slots.release()
  taken.pop()
  expect(await ProcessSlots.isAnyTaken(folder)).toBe(false)
})

test('something is done for a dead process of the folder alone, which can’t start meanwhile', async () => {
  const own = await take()
  const other = await take()
  const dead = other.instance
  expect(await runsWhileDead(own, dead)).toBe(false)
  other.release()
  taken.pop()
  expect(await runsWhileDead(own, dead)).toBe(true)
  let meanwhile: string | undefined
  await own.whileDead(dead, async () => {
    meanwhile = (await take()).instance
  })
  expect(meanwhile).toBe(dead.replace(/-2$/, '-3'))
  const folderId = dead.replace(/-2$/, '')
  const others = [own.instance, `other-2`, `${folderId}-0`, `${folderId}-65`, folderId, '']
  for (const instance of others) expect([instance, await runsWhileDead(own, instance)]).toEqual([instance, false])
  expect(await runsWhileDead(own, `${folderId}-64`)).toBe(true)
})

test('more processes than there are slots are refused', async () => {
  for (let slot = 1; slot <= 64; slot += 1) await take()
  await expect(take()).rejects.toThrow(/^64 processes run on /)
})

test('asking whether a process runs on a folder takes none of its slots', async () => {
  expect(await ProcessSlots.isAnyTaken(join(folder, 'missing'))).toBe(false)
  const slots = await take()
  expect(await ProcessSlots.isAnyTaken(folder)).toBe(true)
  slots.release()
  taken.pop()
  expect([await ProcessSlots.isAnyTaken(folder), await ProcessSlots.isAnyTaken(folder)]).toEqual([false, false])
})
