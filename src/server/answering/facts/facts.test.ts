import { expect, test } from 'vitest'
import { areFactsStated, readEvidence } from './facts.ts'

const isStated = (sentence: string, ...passages: string[]) => areFactsStated(sentence, passages.map(readEvidence))

/** Writings of one fact, of which each states all others, and of other facts, of which none does. */
test.each<[string, string[], string[]]>([
  [
    'digits of all scripts',
    ['Pay 1250 now', 'ادفع ١٢٥٠ الآن', '१२५० रुपये', '１２５０円', '๑๒๕๐ บาท', '۱۲۵۰'],
    ['Pay 1260', '١٢٥١', '２２５０円'],
  ],
  [
    'thousands and decimals',
    ['1,200.50', '1.200,50', '1 200,50', "1'200.50", '1’200.50', '1\u202f200,50', '1200.5', '1200,50', '١٬٢٠٠٫٥٠'],
    ['1,200.60', '1.200,05', '1200', '120050', '12.005', "1'200.55"],
  ],
  ['thousands', ['about 12,500 people', '12.500 Menschen', '12 500 personnes', '12’500', '12500'], ['12,600', '125000', '1250', '12.05']],
  ['millions', ['1,250,000', '1.250.000', '1 250 000', '12,50,000'], ['1,350', '1.250.001']],
  ['decimals', ['0.5', '0,5', '0.50', '٠٫٥'], ['5', '0.05', '1.5']],
  ['halves', ['2½ hours', '2.5 hours', '2,5 Stunden'], ['2 hours', '5 hours']],
  ['percentages', ['10 %', '10%', '١٠٪', '10 percent'], ['11 %', '100 %', '0.1 %']],
  ['currencies', ['€10', '10 €', '10.00 €', 'EUR 10', '10 EUR', '10,00 euros'], ['€11', '€1', '10.50 €']],
  ['dollars and pounds', ['$1,200', 'US$ 1200', '1200 USD'], ['£1,200', '1200 GBP', '1200 €']],
  ['large amounts', ['$25,000,000', 'USD 25,000,000', '25.000.000 $'], ['$2,500,000', '€25,000,000']],
  [
    'dates',
    [
      '5 March 2026',
      'March 5, 2026',
      'March 5th 2026',
      '2026-03-05',
      '05.03.2026',
      '5.3.2026',
      '5.3.26',
      '05/03/2026',
      'am 5. März 2026',
      'le 5 mars 2026',
      '5 de marzo de 2026',
      '5 марта 2026 г.',
      '٥ مارس ٢٠٢٦',
      '5 मार्च 2026',
      '2026年3月5日',
      '2026년 3월 5일',
      '5 marca 2026',
    ],
    ['6 March 2026', '5 April 2026', '5 March 2025', '2026-03-06', '05.04.2026', 'March 15, 2026', '2026年3月6日'],
  ],
  [
    'days',
    ['on 5 March', 'March 5', 'am 5. März', 'am 5.3.', 'le 5 mars', '3月5日', '3월 5일'],
    ['March 6', 'on 5 April', '5. Mai', '3月6日'],
  ],
  ['months', ['open in April', 'im April geöffnet', 'апрель'], ['open in August', 'im November']],
  ['years', ['in 2026', '2026年', '٢٠٢٦'], ['in 2027', 'in 1926']],
  [
    'times',
    ['18:30', '6.30 pm', '6:30 p.m.', '6:30 PM', '18.30 Uhr', '18 h 30', '18h30', '18時30分', '18 Uhr 30'],
    ['18:45', '6.30 am', '7:30 pm', '16:30', '18 h'],
  ],
  ['full hours', ['6 pm', '18:00', '18 Uhr', '18h', '18時', '6 p.m.'], ['6 am', '7 pm', '17:00', '19 Uhr']],
  ['ordinals', ['the 3rd floor', 'im 3. Stock', 'le 3e étage', '3.º piso', '3-й этаж'], ['the 4th floor', 'im 13. Stock']],
  ['ranges', ['from 9–17', '9-17', 'from 9 to 17', '9 bis 17 Uhr'], ['9–18', '8 to 17', '10-17']],
  [
    'telephone numbers',
    ['+49 30 1234-567', '030 1234567', '(030) 123 45 67', '030/1234567', '+49 (0)30 1234567', '0049 30 123 4567', '+49301234567'],
    ['030 1234568', '+49 40 1234567', '040 1234567', '030 123456'],
  ],
  [
    'telephone numbers without a zero',
    ['(555) 123-4567', '555-123-4567', '+1 555 123 4567', '555.123.4567'],
    ['555-123-4568', '(556) 123-4567'],
  ],
  ['emergency numbers', ['call 112', 'Notruf 112'], ['call 110', 'call 1122']],
  [
    'postal codes and house numbers',
    ['Lindenweg 7, 01067 Dresden', '7 Lindenweg, 01067'],
    ['Lindenweg 8, 01067', 'Lindenweg 7, 01069', 'Lindenweg 7, 1067'],
  ],
  [
    'links',
    [
      'See https://example.org/fees.',
      'see example.org/fees',
      '(www.example.org/fees)',
      '[here](http://example.org/fees)',
      'auf EXAMPLE.org/fees/',
      '请看https://example.org/fees。',
      'example.org/fees에서',
    ],
    ['example.org/fee', 'example.com/fees', 'my-example.org/fees', 'https://sub.example.org/fees', 'example.org/fees/2'],
  ],
  [
    'e-mail addresses',
    ['Anna@City.org', 'write to anna@city.org.', '[mail](mailto:anna@city.org)', '<anna@city.org>'],
    ['ann@city.org', 'anna@city.com', 'joanna@city.org', 'anna@my.city.org'],
  ],
  ['versions', ['version 1.2.3', 'v1.2.3'], ['version 1.2.4', '1.2']],
])('%s', (_, writings, others) => {
  for (const source of writings) {
    for (const writing of writings) expect([source, writing, isStated(writing, source)]).toEqual([source, writing, true])
    for (const other of others) expect([source, other, isStated(other, source)]).toEqual([source, other, false])
  }
})

test.each([
  ['citation markers', 'It is free [2].', 'It is free.'],
  ['the article 1', 'Bring 1 photo.', 'Bring a photo.'],
  ['the count of what follows', 'There are 3 ways:', 'Come, call or write.'],
  ['no fact', 'Bring your card!', ''],
  ['an abbreviation', 'Use a card, e.g. the blue one, z.B. heute.', ''],
])('does not compare %s', (_, sentence, passage) => expect(isStated(sentence, passage)).toBe(true))

test('list numbers and citation markers of a passage state nothing', () => {
  const list = '1. Come in.\n2. Take a seat.\n3. Wait [7].'
  for (const number of [2, 3, 7]) expect(isStated(`Wait ${number} minutes.`, list)).toBe(false)
  // A line may begin with a number that is none of a list.
  expect(isStated('From 3 October on.', 'It opens on\n3. Oktober.')).toBe(true)
})

test.each(['8 tháng 2 năm 2007', '2007年2月8日', '2月'])(
  'a named month of a passage is a number in languages that count months: %s',
  (sentence) => {
    expect(isStated(sentence, 'It was announced on 8 February 2007.')).toBe(true)
    expect(isStated(sentence, 'It was announced on 8 March 2007.')).toBe(false)
  },
)

test('numbers inside links state nothing', () => {
  expect(isStated('It costs 77 euros.', 'See https://example.org/77?id=77.')).toBe(false)
})

test('a fact may be in any of the passages, and all facts of a sentence must be in one', () => {
  expect(isStated('10 euros, from 8:30 on.', 'It costs 10 euros.', 'From 8:30.')).toBe(true)
  expect(isStated('10 euros, from 8:30 on.', 'It costs 10 euros.')).toBe(false)
  expect(isStated('10 euros.')).toBe(false)
})

test('a number that only stands there with another sign or year is not stated', () => {
  expect(isStated('€10', 'It costs $10.')).toBe(false)
  expect(isStated('€10', 'It costs $10, or 10 % of €50.')).toBe(false)
  expect(isStated('€10', 'It costs 10 euros.')).toBe(true)
  expect(isStated('on 5 March 2026', 'On 5 March 2025, and on 7 May 2026.')).toBe(false)
  expect(isStated('in 2026', 'In the season 2025/26.')).toBe(true)
})

test.each(['1 ', '1', 'a', 'a.', '1-', '12.5/', '+1(', 'may 5 '])('a text of a million “%s” is read to its end', (piece) => {
  expect(areFactsStated('7 cows', [readEvidence(`7 cows ${piece.repeat(1_000_000)}`)])).toBe(true)
})
