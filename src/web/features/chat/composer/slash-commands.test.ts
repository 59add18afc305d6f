import { expect, test } from 'vitest'
import { matchingCommands } from './slash-commands.ts'

const COMMANDS = [
  { label: 'New chat' },
  { label: 'Temporary chat' },
  { label: 'Theme', when: 'bare' as const },
  { label: 'Theme: dark', when: 'asked' as const },
  { label: 'Language: Español', when: 'asked' as const },
]

const found = (query: string) => matchingCommands(COMMANDS, query).map(({ label }) => label)

test.each([
  ['', ['New chat', 'Temporary chat', 'Theme']],
  ['ch', ['New chat', 'Temporary chat']],
  ['Chat T', ['Temporary chat']],
  ['theme ', ['Theme: dark']],
  ['espan', ['Language: Español']],
])('“%s” after a slash offers %j', (query, labels) => {
  expect(found(query)).toEqual(labels)
})

test.each(['etc/hosts', '/ a comment', '* comment */', '5 of the users', 'new chat please', 'path/to/new'])(
  '“/%s” is ordinary text',
  (query) => {
    expect(found(query)).toEqual([])
  },
)
