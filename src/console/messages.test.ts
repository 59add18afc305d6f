import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { messagesOf, readPage } from '../../scripts/page-messages.mjs'
import { testCatalogs } from '../../test/support/message-catalogs.ts'
import { PROBLEMS } from '../contract/errors.ts'
import { STAFF_PROBLEMS } from '../contract/staff/problems.ts'
import { ADJUSTABLE_LIMITS } from '../server/limits/adjustable-limits.ts'
import { firstSentenceOf, LIMIT_NAMES } from './limit-names.ts'
import { PROBLEM_TITLES } from './problem-titles.ts'

const files = readPage(import.meta.dirname)
/** The only part of the visitors' page with texts that the console shows. */
const SHARED = 'language/language-switch.tsx'
const shared = { path: `../ui/${SHARED}`, text: readFileSync(join(import.meta.dirname, '../ui', SHARED), 'utf8') }

testCatalogs({
  files,
  apart: [],
  said: messagesOf([...files, shared]),
  folder: join(import.meta.dirname, 'messages'),
  unfinished: [],
})

test('translates the titles of the contract', () => {
  const titles = Object.entries({ ...PROBLEMS, ...STAFF_PROBLEMS }).map(([code, { title }]) => [code, title])
  expect(Object.fromEntries(titles)).toMatchObject(PROBLEM_TITLES)
})

test('translates what every limit limits', () => {
  expect(LIMIT_NAMES).toEqual(Object.fromEntries(ADJUSTABLE_LIMITS.map(({ name, description }) => [name, firstSentenceOf(description)])))
})
