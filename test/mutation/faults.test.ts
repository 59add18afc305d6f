import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { findFaults } from './find-faults.ts'
import { FAULT_VARIABLE, insertFaults } from './insert-faults.ts'
import { sample } from './sample.ts'

const SOURCE = `
const LIMIT = 2
const names: Record<string, string> = { 'one-two': 'three' }
function shorten(values: number[], log: { push(value: unknown): void }) {
  if (values.length > LIMIT && !values.includes(0)) log.push('long')
  else log.push('short')
  return values.filter((value) => value > 0)
}
class Counter {
  count = 0
  constructor(start: number) {
    this.count = start
  }
}
`

const kindsIn = (source: string) => findFaults('source.ts', source).map(({ kind, instead, form }) => `${kind}: ${instead || form}`)

describe('faults', () => {
  test('are found in conditions, operators, constants, calls and returns', () => {
    expect(kindsIn(SOURCE)).toEqual([
      'add one: 3',
      "replace the constant: ''",
      'return at once: body',
      'negate the condition: !(values.length > LIMIT && !values.includes(0))',
      '&& becomes ||: (values.length > LIMIT) || (!values.includes(0))',
      '> becomes >=: (values.length) >= (LIMIT)',
      'leave out the negation: values.includes(0)',
      'add one: 1',
      'leave out the statement: statement',
      "replace the constant: ''",
      'leave out the statement: statement',
      "replace the constant: ''",
      'return nothing: undefined',
      'leave out .filter(): values',
      'return nothing: undefined',
      '> becomes >=: (value) >= (0)',
      'add one: 1',
      'add one: 1',
      'leave out the statement: statement',
    ])
  })

  test('are not inserted into types, imports, or what is logged or thrown', () => {
    const source = `
import { a } from 'a'
export { b } from 'b'
type Kind = 'c' | 1
throw new Error('d' + a)
logger.info('e', 1)
`
    expect(kindsIn(source)).toEqual([])
  })

  test('are switched on one at a time, even if nested', () => {
    const faults = findFaults('source.ts', SOURCE).map((fault, index) => ({ ...fault, id: index + 1 }))
    const untyped = insertFaults(SOURCE, faults).replaceAll(
      /: (?:Record<string, string>|number\[\]|number|\{ push\(value: unknown\): void \})(?=[ ,)])/g,
      '',
    )
    const program = `${untyped}; const log = []; JSON.stringify([shorten([1, 0, 3], log), log])`
    const resultOf = (on: number) => runInNewContext(program, { process: { env: { [FAULT_VARIABLE]: String(on) } } }) as string
    expect(resultOf(0)).toBe('[[1,3],["short"]]')
    const kindsWith = (result: string) => faults.filter(({ id }) => resultOf(id) === result).map(({ kind }) => kind)
    expect(kindsWith('[null,["short"]]')).toEqual(['return nothing'])
    expect(kindsWith('[[1,3],["long"]]')).toEqual(['negate the condition', '&& becomes ||', 'leave out the negation'])
    expect(kindsWith('[[1,3],[]]')).toEqual(['leave out the statement'])
    expect(kindsWith('[[1,0,3],["short"]]')).toEqual(['leave out .filter()', '> becomes >='])
  })
})

test('a sample depends on its seed only, and has no duplicates', () => {
  const items = Array.from({ length: 100 }, (_, index) => index)
  expect(sample(items, 10, 1)).toEqual(sample(items, 10, 1))
  expect(sample(items, 10, 1)).not.toEqual(sample(items, 10, 2))
  expect(sample(items, 200, 1).toSorted((one, other) => one - other)).toEqual(items)
})
