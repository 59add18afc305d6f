import { expect, test } from 'vitest'
import { isOutage, storageFaultOf } from './storage-fault.ts'

const errorWith = (properties: object, message = 'x') => Object.assign(new Error(message), properties)

test.each<[string, unknown, ReturnType<typeof storageFaultOf>]>([
  ['SQLite without room', errorWith({ code: 'ERR_SQLITE_ERROR', errcode: 13 }), 'storage_full'],
  ['SQLite that is busy', errorWith({ code: 'ERR_SQLITE_ERROR', errcode: 5 }), 'storage_unavailable'],
  ['a sync without room', errorWith({ code: 'ENOSPC' }), 'storage_full'],
  ['a sync that the disk refuses', errorWith({ code: 'EIO' }), 'storage_unavailable'],
  ['PostgreSQL without room', errorWith({ code: '53100' }), 'storage_full'],
  ['PostgreSQL going down', errorWith({ code: '57P01' }), 'storage_unavailable'],
  ['both addresses of a name refusing', new AggregateError([], ''), null],
  [
    'both addresses of a name refusing, with their code',
    Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' }),
    'storage_unavailable',
  ],
  ['a connection that ended', new Error('Connection terminated unexpectedly'), 'storage_unavailable'],
  ['a pool without a free connection', new Error('timeout exceeded when trying to connect'), 'storage_unavailable'],
  ['a mistake of ours', new TypeError('undefined is not a function'), null],
  ['no error', 'ENOSPC', null],
])('%s', (_, error, fault) => {
  expect(storageFaultOf(error)).toBe(fault)
})

test.each<[string, object, boolean]>([
  ['a lost connection', { code: 'ECONNREFUSED' }, true],
  ['a server going down', { code: '57P01' }, true],
  ['a server that only reads', { code: '25006' }, true],
  ['a full disk', { code: 'ENOSPC' }, true],
  ['a disk that refuses a sync', { code: 'EIO' }, true],
  ['a locked file', { code: 'ERR_SQLITE_ERROR', errcode: 5 }, true],
  ['an I/O error, extended', { code: 'ERR_SQLITE_ERROR', errcode: 266 }, true],
  ['a violated constraint of PostgreSQL', { code: '23505' }, false],
  ['a violated constraint of SQLite', { code: 'ERR_SQLITE_ERROR', errcode: 1555 }, false],
  ['a missing table', { code: '42P01' }, false],
])('%s', (_, properties, expected) => {
  expect(isOutage(errorWith(properties))).toBe(expected)
})
