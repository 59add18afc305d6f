import { expect, test } from 'vitest'
import { COUNTRIES } from './emergency-numbers.ts'

test('each number has digits, and each country an official source', () => {
  for (const [country, { source, ...numbers }] of Object.entries(COUNTRIES)) {
    expect(source, country).toMatch(/^https:\/\//)
    for (const number of Object.values(numbers)) expect(number, country).toMatch(/^[+*]?\d[\d -]*$/)
  }
})
