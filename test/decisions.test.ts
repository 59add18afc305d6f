import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const FOLDER = join(import.meta.dirname, '../docs/decisions')
const records = readdirSync(FOLDER)
  .filter((file) => file !== 'README.md')
  .map((file) => ({ file, text: readFileSync(join(FOLDER, file), 'utf8') }))

test('the index of decisions lists each with its title, status and date', () => {
  const rows = records.map(({ file, text }) => {
    const [, title, status, date] = /^# (.+)\n\nStatus: (\w+), (\S+)\n/.exec(text) ?? []
    return `| [${title}](${file}) | ${status} | ${date} |`
  })
  const index = readFileSync(join(FOLDER, 'README.md'), 'utf8')
  expect(index.split('\n').filter((line) => line.startsWith('| ['))).toEqual(rows)
})

test('decisions are few and short', () => {
  expect(records.length).toBeLessThanOrEqual(40)
  expect(records.filter(({ text }) => text.trimEnd().split('\n').length >= 60).map(({ file }) => file)).toEqual([])
})
