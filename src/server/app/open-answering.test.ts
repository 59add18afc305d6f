import { expect, test } from 'vitest'
import { readSettings } from '../config/config.ts'
import { lookupsOf } from './open-answering.ts'
import { recipientsOf } from './open-http.ts'

const MODEL = { OPENAI_API_KEY: 'k', MODEL: 'm' }
const EMBEDDING = { EMBEDDING_MODEL: 'e', EMBEDDING_BASE_URL: 'https://vectors.example.net/v1' }

test.each<[string | null, Record<string, string>]>([
  [null, MODEL],
  ['vectors.example.net', { ...MODEL, ...EMBEDDING }],
  ['vectors.example.net', EMBEDDING],
])('visitors are told that %s receives what is looked up', (hosts, environment) => {
  expect(lookupsOf(readSettings(environment))).toBe(hosts)
})

const ENDPOINT = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'https://models.example.net/v1', MODEL: 'm' }

test.each<[string[], Record<string, string>]>([
  [[], {}],
  [['vectors.example.net'], EMBEDDING],
  [['models.example.net'], ENDPOINT],
  [['models.example.net', 'vectors.example.net'], { ...ENDPOINT, ...EMBEDDING }],
  [['models.example.net', 'checks.example.net'], { ...ENDPOINT, MODERATION_URL: 'https://checks.example.net/v1', MODERATION_MODEL: 'c' }],
])('the short notice names as recipients %j', (recipients, environment) => {
  expect(recipientsOf(readSettings(environment))).toEqual(recipients)
})
