import { expect, test } from 'vitest'
import { Places } from './places.ts'

const visitor = { key: 'visitor', limit: 1 }
const network = { key: 'network', limit: 2 }

test('takes a place of each holder, or of none', () => {
  const places = new Places()
  expect(places.take([visitor, network])).toBeTypeOf('function')
  expect(places.take([network, visitor])).toEqual({ full: visitor })
  expect(places.take([network])).toBeTypeOf('function')
  expect(places.take([network])).toEqual({ full: network })
})

test('gives places back once', () => {
  const places = new Places()
  const [first, second] = [places.take([network]), places.take([network])]
  if (typeof first !== 'function' || typeof second !== 'function') throw new Error('There were places')
  first()
  first()
  expect(places.take([network])).toBeTypeOf('function')
  expect(places.take([network])).toEqual({ full: network })
})
