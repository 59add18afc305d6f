import { expect, test } from 'vitest'
import { redisAddressOf } from './redis-address.ts'

test.each(['redis://localhost:6379', 'rediss://name:word@redis.example:6380/1'])('leads to the server of %s', (value) => {
  expect(redisAddressOf(value)).toBe(value)
})

test('leads to the master that any of the sentinels names, each with its port', () => {
  expect(redisAddressOf('redis+sentinel://one:26380,10.0.0.2,[fd00::3]:26381/mymaster')).toEqual({
    sentinels: [
      { host: 'one', port: 26380 },
      { host: '10.0.0.2', port: 26379 },
      { host: 'fd00::3', port: 26381 },
    ],
    name: 'mymaster',
  })
  expect(redisAddressOf('rediss+sentinel://:p%40ss@one/parley')).toEqual({
    sentinels: [{ host: 'one', port: 26379 }],
    name: 'parley',
    password: 'p@ss',
    tls: {},
    sentinelTLS: {},
  })
})

test.each(['', 'localhost:6379', 'http://one', 'redis+sentinel://one', 'redis+sentinel://one,/mymaster', 'redis+sentinel:///mymaster'])(
  'leads nowhere with %j',
  (value) => {
    expect(redisAddressOf(value)).toBeNull()
  },
)
