import { expect, test } from 'vitest'
import { readSettings } from './config.ts'
import { embeddingOf, knowledgeMistakes } from './knowledge-settings.ts'

const ENDPOINT = { EMBEDDING_MODEL: 'm', EMBEDDING_BASE_URL: 'http://localhost/v1' }
const FETCHED = { EMBEDDING_MODEL: 'local', LOCAL_EMBEDDING_URL: 'http://localhost/e5-small.gguf', LOCAL_EMBEDDING_SHA256: 'a'.repeat(64) }

test('an embedding model is an endpoint, a file, or an address with its checksum', () => {
  expect(readSettings({ EMBEDDING_MODEL: 'none' }).embedding).toBeNull()
  expect(readSettings(ENDPOINT).embedding).toMatchObject({ kind: 'endpoint', model: 'm', apiKey: null })
  expect(readSettings({ EMBEDDING_MODEL: 'local', LOCAL_EMBEDDING_URL: import.meta.filename }).embedding).toMatchObject({
    kind: 'local',
    source: { kind: 'file', path: import.meta.filename, sha256: null },
  })
  expect(readSettings(FETCHED).embedding).toMatchObject({ kind: 'local', source: { kind: 'fetched', sha256: 'a'.repeat(64) } })
})

test('without a setting, the model of npm run embedding-model is used if it is there', () => {
  const file = import.meta.filename
  expect(embeddingOf({}, file)).toMatchObject({ kind: 'local', source: { path: file }, isDefault: true })
  expect(embeddingOf({ EMBEDDING_MODEL: 'local' }, file)).toMatchObject({ source: { path: file }, isDefault: false })
  expect(embeddingOf({}, '/nowhere.gguf')).toBeNull()
  expect(embeddingOf({ EMBEDDING_MODEL: 'none' }, file)).toBeNull()
  expect(knowledgeMistakes({ EMBEDDING_MODEL: 'local' }, '/nowhere.gguf')).toEqual([expect.stringContaining('npm run embedding-model')])
  expect(knowledgeMistakes({ EMBEDDING_MODEL: 'local' }, file)).toEqual([])
})

test('prefixes depend on the model’s name', () => {
  const prefixes = (environment: Record<string, string>) => readSettings(environment).embedding?.prefixes
  expect(prefixes(FETCHED)).toEqual({ query: 'query: ', passage: 'passage: ' })
  expect(prefixes(ENDPOINT)).toEqual({ query: '', passage: '' })
})

test.each<[Record<string, string>, string]>([
  [{ EMBEDDING_MODEL: 'm' }, 'EMBEDDING_BASE_URL is missing'],
  [{ EMBEDDING_BASE_URL: 'http://localhost/v1' }, 'EMBEDDING_MODEL is missing'],
  [{ EMBEDDING_MODEL: 'none', EMBEDDING_BASE_URL: 'http://localhost/v1' }, 'EMBEDDING_MODEL=none needs no EMBEDDING_BASE_URL'],
  [{ EMBEDDING_MODEL: 'local', LOCAL_EMBEDDING_URL: '/nowhere.gguf' }, 'LOCAL_EMBEDDING_URL names no file'],
  [{ EMBEDDING_MODEL: 'local', LOCAL_EMBEDDING_URL: 'http://localhost/m.gguf' }, 'LOCAL_EMBEDDING_SHA256 is missing'],
  [{ EMBEDDING_MODEL: 'local', LOCAL_EMBEDDING_URL: 'http://:x' }, 'LOCAL_EMBEDDING_URL must be an address or the path of a file'],
  [{ ...FETCHED, EMBEDDING_BASE_URL: 'http://localhost/v1' }, 'needs no EMBEDDING_BASE_URL'],
  [{ ...ENDPOINT, LOCAL_EMBEDDING_URL: 'http://localhost/m.gguf' }, 'LOCAL_EMBEDDING_URL needs EMBEDDING_MODEL=local'],
])('rejects %o', (environment, mistake) => {
  expect(() => readSettings(environment)).toThrow(mistake)
})
