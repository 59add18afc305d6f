import { expect, test } from 'vitest'
import { fieldsOf, withField } from './agent-text.ts'

const TEXT = `---
# Who answers
name: Pool # short
greeting: 'Hi: how can I help?'
knowledge: [pool, "town/baths"]
starters:
  - When do you open?
policy:
  routes: [] # none yet
---

Be short.
`

test('reads the fields of a text', () => {
  expect(fieldsOf(TEXT)).toEqual({
    name: 'Pool',
    greeting: 'Hi: how can I help?',
    model: '',
    starters: ['When do you open?'],
    knowledge: ['pool', 'town/baths'],
    tools: null,
    instruction: '\nBe short.\n',
  })
  for (const text of ['', 'no front matter', '---\nname: [\n---\nx', '---\n- a\n---\nx', '---\n\n---\nx'])
    expect(fieldsOf(text), text).toBeNull()
})

test('changes one field and leaves everything else as it is', () => {
  const changed = withField(TEXT, 'name', 'Baths: "new"')
  expect(fieldsOf(changed)?.name).toBe('Baths: "new"')
  expect(changed.split('\n').filter((line) => !line.startsWith('name'))).toEqual(
    TEXT.split('\n').filter((line) => !line.startsWith('name')),
  )
  expect(withField(TEXT, 'knowledge', ['.'])).toContain('knowledge: [.]')
  expect(withField(TEXT, 'starters', ['A?', 'B: c?'])).toContain('starters:\n  - A?\n  - "B: c?"\n')
  expect(withField(TEXT, 'tools', ['calculator'])).toContain('tools: [calculator]')
  expect(withField(TEXT, 'instruction', 'Be kind.')).toBe(TEXT.replace('\nBe short.\n', 'Be kind.'))
})

test('an empty value removes a key that an agent may lack', () => {
  expect(withField(withField(TEXT, 'model', 'large'), 'model', '')).toBe(TEXT)
  expect(withField(TEXT, 'starters', [])).not.toContain('starters')
  expect(fieldsOf(withField(TEXT, 'name', ''))?.name).toBe('')
  expect(withField('none', 'name', 'x')).toBe('none')
})
