import { expect, test } from 'vitest'
import { readMarkdown } from './markdown.ts'

const sectionsOf = (markdown: string) =>
  readMarkdown(markdown).sections.map(({ level, heading, keywords, blocks }) => [
    level,
    heading,
    keywords,
    ...blocks.map(({ kind, text }) => [kind, text]),
  ])

test('reads the blocks of each section by their kind', () => {
  expect(
    sectionsOf(
      'Before.\n# One ##\nFirst line\nsecond line\n- item\n  goes on\n- other\n\n| a | b |\n| c | d |\nAfter.\n\n```sh\n# none\n\nrun\n```\nEnd.',
    ),
  ).toEqual([
    [0, '', '', ['paragraph', 'Before.']],
    [
      1,
      'One',
      '',
      ['paragraph', 'First line\nsecond line'],
      ['item', '- item\n  goes on'],
      ['item', '- other'],
      ['row', '| a | b |'],
      ['row', '| c | d |'],
      ['paragraph', 'After.'],
      ['code', '```sh\n# none\n\nrun\n```'],
      ['paragraph', 'End.'],
    ],
  ])
})

test('reads keywords from each comment, and the text beside comments', () => {
  expect(sectionsOf('# One\n<!-- keywords: lid, cover -->\nIt <!-- not seen --> is <!-- keywords: box --> blue.\n<!-- open')).toEqual([
    [0, '', ''],
    [1, 'One', 'lid, cover box', ['paragraph', 'It  is  blue.\n<!-- open']],
  ])
})

test('a fence ends at one that is as long', () => {
  expect(sectionsOf('````\n```\n````\nText.')).toEqual([[0, '', '', ['code', '````\n```\n````'], ['paragraph', 'Text.']]])
})
