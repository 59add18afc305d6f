import { expect, test } from 'vitest'
import { addressOfQuote } from './text-fragment.ts'

const PAGE = 'https://example.org/returns'

test.each([
  ['the line', 'You have 30 days', `${PAGE}#:~:text=You%20have%2030%20days`],
  ['the first line that has some words', 'Returns\n• You have 30 days\nMore of it', `${PAGE}#:~:text=You%20have%2030%20days`],
  ['no row of a table', 'Days · 30 and more\nYou have 30 days', `${PAGE}#:~:text=You%20have%2030%20days`],
  ['marks that have a meaning there', 'semi-final, A & B', `${PAGE}#:~:text=semi%2Dfinal%2C%20A%20%26%20B`],
  ['no markup', '<b>"x"</b> #:~:text=', `${PAGE}#:~:text=%3Cb%3E%22x%22%3C%2Fb%3E%20%23%3A~%3Atext%3D`],
  ['nothing of a quote that is too short', 'Yes', PAGE],
  ['nothing without a quote', '', PAGE],
])('links to %s', (_, quote, address) => {
  expect(addressOfQuote(PAGE, quote)).toBe(address)
})

test('keeps the fragment of the address', () => {
  expect(addressOfQuote(`${PAGE}#time`, 'You have 30 days')).toBe(`${PAGE}#time:~:text=You%20have%2030%20days`)
  expect(addressOfQuote(`${PAGE}#:~:text=other`, 'You have 30 days')).toBe(`${PAGE}#:~:text=other`)
})

test.each(['https://example.org/a.pdf', 'https://example.org/a.DOCX?b=c', 'https://example.org/a.md'])(
  'leaves %s alone, which is no web page',
  (address) => {
    expect(addressOfQuote(address, 'You have 30 days')).toBe(address)
  },
)

test.each([
  ['You can return what you bought within thirty days of the day on which it was delivered to you, unopened.', /%20it%20was$/],
  ['您可以在收到商品之日起三十天内退货，但商品必须未开封。'.repeat(6), /[^%]$/],
  ['x'.repeat(500), /text=$|returns$/],
])('shortens a long start at the end of a word: %s', (quote, end) => {
  const address = addressOfQuote(PAGE, quote)
  expect(address).toMatch(end)
  expect(decodeURIComponent(address.split(':~:text=')[1] ?? '').length).toBeLessThanOrEqual(80)
})
