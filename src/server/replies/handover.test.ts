import { expect, test } from 'vitest'
import { HandoverHeader, handoverReply } from './handover.ts'

const HOURS = { timeZone: 'Europe/Berlin', open: ['Mon-Fri 08:00-17:00'] }
const SUNDAY = new Date('2026-12-06T12:00:00Z')
const MONDAY = new Date('2026-12-07T12:00:00Z')
const reply = (header: object, now: Date, language: 'en' | 'de' = 'en') =>
  handoverReply(HandoverHeader.parse(header), { language, contact: null, now })

test('the reply says whether somebody is there, in the time of the place', () => {
  expect(reply({ messages: true, hours: HOURS }, SUNDAY)).toMatch(
    /Nobody is there at the moment\. Opens again: Monday,? (7 December|December 7) at 8:00/,
  )
  expect(reply({ messages: true, hours: HOURS }, MONDAY, 'de')).toContain('Bis Montag, 7. Dezember um 17:00 ist jemand da.')
})

test('the reply has words of its own without a link', () => {
  expect(reply({ messages: true }, SUNDAY, 'de')).toBe('Unser Team kann Ihnen helfen.')
})

test('the reply names no hours where none are known', () => {
  expect(reply({ contacts: [{ label: 'Book a visit', url: 'https://example.org/visit' }] }, SUNDAY)).toBe(
    'You can reach a person here:\n\n- [Book a visit](https://example.org/visit)',
  )
})

test('the reply names the operator’s contact in place of links', () => {
  const options = { language: 'en' as const, contact: 'help@example.org', now: SUNDAY }
  expect(handoverReply(HandoverHeader.parse({ messages: true }), options)).toBe('Our staff can help you. You can contact help@example.org.')
})

test('a label is text, whatever signs it has', () => {
  const label = 'A `[b]` *c*\n<img> &amp;'
  expect(reply({ contacts: [{ label, url: 'https://example.org/(a)' }] }, SUNDAY)).toContain(
    String.raw`- [A \`\[b\]\` \*c\* \<img\> &amp;amp;](https://example.org/%28a%29)`,
  )
})

test.each([
  [{}],
  [{ messages: false, contacts: [] }],
  [{ contacts: [{ label: 'x', url: 'javascript:alert(1)' }] }],
  [{ contacts: [{ label: 'x', url: 'https://example.org/a>b' }] }],
  [{ messages: true, hours: { ...HOURS, timeZone: 'Mars/Base' } }],
  [{ messages: true, phone: '123' }],
])('%j is refused', (header) => {
  expect(HandoverHeader.safeParse(header).success).toBe(false)
})
