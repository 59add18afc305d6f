import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { installationKey, UnsafeKeyFile } from './installation-key.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'parley-key-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

test('creates one key for processes that start together, and reuses it', async () => {
  const keys = await Promise.all(Array.from({ length: 20 }, () => installationKey(null, directory)))
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(await installationKey(null, directory)).toBe(keys[0])
})

test('leaves one file, readable by its owner only', async () => {
  const key = await installationKey(null, directory)
  expect(readdirSync(directory)).toEqual(['installation.key'])
  expect(readFileSync(join(directory, 'installation.key'), 'utf8').trim()).toBe(key)
  expect(statSync(join(directory, 'installation.key')).mode & 0o777).toBe(0o600)
})

test('uses the key from the settings, and then creates none', async () => {
  expect(await installationKey('of the settings', directory)).toBe('of the settings')
  expect(readdirSync(directory)).toEqual([])
})

test.each([0o640, 0o604, 0o620, 0o666])('rejects a key file with mode %o, and does not change it', async (mode) => {
  const key = await installationKey(null, directory)
  const file = join(directory, 'installation.key')
  chmodSync(file, mode)
  const refused = await installationKey(null, directory).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(UnsafeKeyFile)
  expect(String(refused)).toMatch(/chmod 600/)
  expect(String(refused)).not.toContain(key)
  expect(statSync(file).mode & 0o777).toBe(mode)
})

test.each([
  ['empty', ''],
  ['cut', 'k9Xw2LqT'],
  ['an example', 'changeme'.repeat(5)],
])('rejects a key file that is %s, and does not change it', async (_name, content) => {
  const file = join(directory, 'installation.key')
  writeFileSync(file, content, { mode: 0o600 })
  await expect(installationKey(null, directory)).rejects.toThrow(UnsafeKeyFile)
  expect(readFileSync(file, 'utf8')).toBe(content)
})
