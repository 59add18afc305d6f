import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { installationKey } from './installation-key.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'parley-key-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

test('makes one key for all who start together, and keeps it', async () => {
  const keys = await Promise.all(Array.from({ length: 20 }, () => installationKey(null, directory)))
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(await installationKey(null, directory)).toBe(keys[0])
})

test('leaves one file, for its owner alone', async () => {
  const key = await installationKey(null, directory)
  expect(readdirSync(directory)).toEqual(['installation.key'])
  expect(readFileSync(join(directory, 'installation.key'), 'utf8').trim()).toBe(key)
  expect(statSync(join(directory, 'installation.key')).mode & 0o777).toBe(0o600)
})

test('takes the key of the settings, and then makes none', async () => {
  expect(await installationKey('of the settings', directory)).toBe('of the settings')
  expect(readdirSync(directory)).toEqual([])
})
