import { expect, test } from 'vitest'
import { prefixesOf } from './prefixes.ts'

test.each([
  ['intfloat/multilingual-e5-small', 'query: ', 'passage: '],
  ['multilingual-e5-base-Q8_0', 'query: ', 'passage: '],
  ['e5-mistral-7b-instruct', '', ''],
  ['multilingual-e5-large-instruct', '', ''],
  ['some-e50-model', '', ''],
  ['nomic-embed-text', 'search_query: ', 'search_document: '],
  ['snowflake-arctic-embed-m-v2.0', 'query: ', ''],
  ['bge-m3', '', ''],
  ['text-embedding-3-small', '', ''],
])('uses the prefixes of the model card of %s', (model, query, passage) => {
  expect(prefixesOf(model)).toEqual({ query, passage })
})
