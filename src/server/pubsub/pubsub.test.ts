import { expect, test } from 'vitest'
import { Bell, PendingTopics } from './pubsub.ts'

test('tells those who listen to a topic, until they stop', () => {
  const bell = new Bell()
  const heard: string[] = []
  const stop = bell.listen('a', () => heard.push('first'))
  bell.listen('a', () => heard.push('second'))
  bell.listen('b', () => heard.push('other'))
  bell.ring('a')
  stop()
  bell.ring('a', 'nobody listens to this')
  expect(heard).toEqual(['first', 'second', 'second'])
})

test('is never trusted without a line, since others may share the database', () => {
  expect(new Bell().isTrusted).toBe(false)
})

test('tells everybody when more was rung than could be named', () => {
  let far: (topics: string[]) => void = () => undefined
  const bell = new Bell(({ topics }) => {
    far = topics
    return { isTrusted: true, send: () => undefined, close: async () => undefined }
  })
  const heard: string[] = []
  bell.listen('a', () => heard.push('a'))
  bell.listen('b', () => heard.push('b'))
  far(['*'])
  expect(heard).toEqual(['a', 'b'])
})

test('keeps as many topics as may wait, each once, and then only that everything may have changed', () => {
  const pending = new PendingTopics(2)
  pending.add(['a', 'b', 'a'])
  expect(pending.take()).toEqual(['a', 'b'])
  pending.add(['a', 'b', 'c'])
  pending.add(['d'])
  expect(pending.take()).toEqual(['*'])
  expect(pending.isEmpty).toBe(true)
})
