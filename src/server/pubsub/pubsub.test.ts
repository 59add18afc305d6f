import { expect, test } from 'vitest'
import { PubSub, PendingTopics } from './pubsub.ts'

test('notifies subscribers of a topic until they unsubscribe', () => {
  const pubsub = new PubSub()
  const heard: string[] = []
  const stop = pubsub.subscribe('a', () => heard.push('first'))
  pubsub.subscribe('a', () => heard.push('second'))
  pubsub.subscribe('b', () => heard.push('other'))
  pubsub.publish('a')
  stop()
  pubsub.publish('a', 'nobody listens to this')
  expect(heard).toEqual(['first', 'second', 'second'])
})

test('is never trusted without a transport, since other processes may share the database', () => {
  expect(new PubSub().isReliable).toBe(false)
})

test('notifies all subscribers when more topics were published than fit in a message', () => {
  let far: (topics: string[]) => void = () => undefined
  const pubsub = new PubSub(({ topics }) => {
    far = topics
    return { isReliable: true, send: () => undefined, close: async () => undefined }
  })
  const heard: string[] = []
  pubsub.subscribe('a', () => heard.push('a'))
  pubsub.subscribe('b', () => heard.push('b'))
  far(['*'])
  expect(heard).toEqual(['a', 'b'])
})

test('keeps a bounded number of distinct topics, and beyond it publishes that anything may have changed', () => {
  const pending = new PendingTopics(2)
  pending.add(['a', 'b', 'a'])
  expect(pending.take()).toEqual(['a', 'b'])
  pending.add(['a', 'b', 'c'])
  pending.add(['d'])
  expect(pending.take()).toEqual(['*'])
  expect(pending.isEmpty).toBe(true)
})
