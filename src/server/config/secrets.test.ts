import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readSettings } from './config.ts'
import { faultOfKey, readSecrets } from './secrets.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-secrets-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (content: string) => {
  const path = join(folder, `secret-${randomBytes(6).toString('hex')}`)
  writeFileSync(path, content)
  return path
}

test.each([
  ['short', 'Zq3vT9xKp2LmW8sRb4nYcD'],
  ['an example', 'changeme-changeme-changeme-changeme'],
  ['an example', 'replace-this-with-32-random-characters'],
  ['an example', 'your-installation-key-goes-here-1234'],
  ['an example', '<put a random key of 32 characters here>'],
  ['one character', 'a'.repeat(40)],
  ['a piece that repeats', 'k9Xw2LqT'.repeat(5)],
  ['a piece that repeats, cut', '0123456789abcdef0123456789abcdef0123'],
  ['runs', 'abcdefghijklmnopqrstuvwxyz0123456789'],
  ['runs backwards', 'zyxwvutsrqponmlkjihgfedcba9876543210'],
  ['few characters', 'abacabadabacabaeabacabadabacabaf'],
])('rejects a key that is %s: %s', (_name, key) => {
  expect(faultOfKey(key)).toBeDefined()
  expect(() => readSettings({ INSTALLATION_KEY: key })).toThrow('INSTALLATION_KEY')
  expect(() => readSettings({ INSTALLATION_KEY: key })).not.toThrow(key)
})

test('accepts random keys in common formats, and long passphrases', () => {
  for (let count = 0; count < 500; count += 1) {
    for (const form of ['base64', 'base64url', 'hex'] as const) expect(faultOfKey(randomBytes(32).toString(form))).toBeUndefined()
  }
  expect(faultOfKey('xXxq7Lw2Zr9TfK4mVb8JcP1sYd6HgN3uEa5RoX0iWl')).toBeUndefined()
  expect(faultOfKey('correct horse battery staple, and then some')).toBeUndefined()
})

test.each(['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'INSTALLATION_KEY', 'DATABASE_URL'])('rejects a blank %s', (name) => {
  for (const blank of ['', '  ']) expect(() => readSettings({ [name]: blank })).toThrow(`${name} is blank`)
  expect(() => readSettings({ [`${name}_FILE`]: file(' \n') })).toThrow(`${name}_FILE is blank`)
})

test.each(['…', 'sk-...', 'sk-xxxxxxxxxxxx', 'your-api-key', '<key>', '$OPENAI_API_KEY', 'changeme'])(
  'rejects the example %s as a provider’s key',
  (value) => {
    expect(() => readSettings({ OPENAI_API_KEY: value, MODEL: 'm' })).toThrow('OPENAI_API_KEY is an example')
  },
)

test('accepts a short key of a provider, since some endpoints accept any', () => {
  expect(readSettings({ OPENAI_API_KEY: 'ollama', MODEL: 'm' }).model).toMatchObject({ apiKey: 'ollama' })
})

test('reads a secret from a file, and rejects both forms together', () => {
  const key = randomBytes(32).toString('base64')
  expect(readSettings({ INSTALLATION_KEY_FILE: file(`${key}\n`) }).installationKey).toBe(key)
  expect(() => readSettings({ INSTALLATION_KEY_FILE: file(key), INSTALLATION_KEY: key })).toThrow('INSTALLATION_KEY_FILE are both set')
  expect(() => readSettings({ INSTALLATION_KEY_FILE: join(folder, 'none') })).toThrow('INSTALLATION_KEY_FILE names no file')
  expect(() => readSettings({ INSTALLATION_KEY_FILE: folder })).toThrow('INSTALLATION_KEY_FILE names no file')
})

test('every example in our own documents and templates is rejected, or is not a value', () => {
  const root = join(import.meta.dirname, '../../..')
  const files = [
    'README.md',
    ...['docs', 'deploy'].flatMap((name) =>
      readdirSync(join(root, name), { recursive: true, encoding: 'utf8' }).map((path) => join(name, path)),
    ),
  ]
  const shown = files
    .filter((path) => /\.(md|ya?ml|env|example)$/.test(path))
    .flatMap((path) => [
      ...readFileSync(join(root, path), 'utf8').matchAll(/\b(OPENAI_API_KEY|ANTHROPIC_API_KEY|INSTALLATION_KEY)[=:][ \t]*(\S+)/g),
    ])
  expect(shown.length).toBeGreaterThan(2)
  for (const [, name = '', value] of shown) expect(readSecrets({ [name]: value }).mistakes).toHaveLength(1)
})
