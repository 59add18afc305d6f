import { describe, expect, test } from 'vitest'
import { findPersonalData } from './find-personal-data.ts'

/** Found personal data as `kind: value`. */
const found = (text: string): string[] => findPersonalData(text).map(({ kind, start, end }) => `${kind}: ${text.slice(start, end)}`)

describe('finds payment numbers', () => {
  test.each([
    ['my card is 4111 1111 1111 1111, exp 12/27', ['card: 4111 1111 1111 1111']],
    ['card4111111111111111please', ['card: 4111111111111111']],
    ['５５５５－５５５５－５５５５－４４４４', ['card: ５５５５－５５５５－５５５５－４４４４']],
    ['3782 822463 10005 123', ['card: 3782 822463 10005']],
    ['IBAN:DE89 3704 0044 0532 0130 00.', ['iban: DE89 3704 0044 0532 0130 00']],
    ['gb29nwbk60161331926819', ['iban: gb29nwbk60161331926819']],
    ['FR14.2004.1010.0505.0001.3M02.606', ['iban: FR14.2004.1010.0505.0001.3M02.606']],
    ['from NL91ABNA0417164300 to BE68539007547034', ['iban: NL91ABNA0417164300', 'iban: BE68539007547034']],
  ])('%s', (text, expected) => {
    expect(found(text)).toEqual(expected)
  })
})

describe('finds numbers with what stands between their groups where they are pasted from', () => {
  const card = ['4111', '1111', '1111', '1111']
  test.each(['   ', '\n', '\r\n', '\n\n', '\t', '/', ' / ', '_', '·', '**', ' | ', '\u2060', '\u00ad', '\u200b', '\u{e0020}'])(
    '%j',
    (gap) => {
      expect(found(`my card ${card.join(gap)}, thanks`)).toEqual([`card: ${card.join(gap)}`])
      const iban = ['GB29', 'NWBK', '6016', '1331', '9268', '19'].join(gap)
      expect(found(`to ${iban}.`)).toEqual([`iban: ${iban}`])
      const id = ['86', '095', '742', '719'].join(gap)
      expect(found(`id ${id}.`)).toEqual([`national_id: ${id}`])
    },
  )

  test.each(['\u2060', '\u00ad', '\ufe0f', '\ufe0f\u20e3'])('%j after each digit', (unseen) => {
    const written = card.join('').split('').join(unseen)
    expect(found(`a 🙂 card ${written}${unseen} ok`)).toEqual([`card: ${written}`])
  })

  const DIGITS = '0123456789'
  test.each([
    ['circled', '⓪①②③④⑤⑥⑦⑧⑨'],
    ['in black circles', '⓿❶❷❸❹❺❻❼❽❾'],
    ['raised', '⁰¹²³⁴⁵⁶⁷⁸⁹'],
    ['in full width', '０１２３４５６７８９'],
    ['mathematical', '𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗'],
    ['monospaced', '𝟶𝟷𝟸𝟹𝟺𝟻𝟼𝟽𝟾𝟿'],
    ['N’Ko', '߀߁߂߃߄߅߆߇߈߉'],
    ['Adlam', '𞥐𞥑𞥒𞥓𞥔𞥕𞥖𞥗𞥘𞥙'],
    ['entities', Array.from(DIGITS, (digit) => `&#${48 + Number(digit)};`)],
    ['hexadecimal entities', Array.from(DIGITS, (digit) => `&#x3${digit};`)],
  ])('digits that are %s', (_, digits) => {
    const as = (number: string) => number.replaceAll(/\d/g, (digit) => [...digits][Number(digit)] as string)
    for (const [kind, number] of [
      ['card', '4111 1111 1111 1111'],
      ['iban', 'DE89370400440532013000'],
      ['national_id', '86 095 742 719'],
      ['telephone', '+49 30 901820'],
    ] as const)
      expect(found(`it is ${as(number)}, thanks 🙂`)).toEqual([`${kind}: ${as(number)}`])
  })

  test.each([
    ['card', '4111,1111,1111,1111'],
    ['card', '3782,822463,10005'],
    ['iban', 'GB29,NWBK,6016,1331,9268,19'],
    ['national_id', '86,095,742,719'],
    ['national_id', '2341,2341,2346'],
    ['telephone', '0171,123,4567'],
  ])('commas between the groups of a %s', (kind, number) => {
    expect(found(`it is ${number}, thanks`)).toEqual([`${kind}: ${number}`])
  })

  test('letters of a number that are mathematical', () => {
    expect(found('to 𝐃𝐄89 3704 0044 0532 0130 00.')).toEqual(['iban: 𝐃𝐄89 3704 0044 0532 0130 00'])
  })

  test.each(['4111\n1111\n1111\n1112', '2021\n2022\n2023\n2024', '1/2/2024\n3/4/2025'])('leaves %j alone', (text) => {
    expect(found(text)).toEqual([])
  })
})

describe('finds national ids by their checksum', () => {
  test.each([
    ['AT', '1237 010180'],
    ['BE', '85.07.30-033.28'],
    ['BG', 'ЕГН 7523169263'],
    ['BR', '529.982.247-25'],
    ['CA', 'my SIN is 046 454 286'],
    ['CH', '756.9217.0769.85'],
    ['CL', '30.686.957-4'],
    ['CN', '11010519491231002X'],
    ['CZ', '736028/5163'],
    ['DE', '86 095 742 719'],
    ['DE', '15070649C103'],
    ['DE', '65 170839 J 00 3'],
    ['DK', '211062-5629'],
    ['EE', '37605030299'],
    ['ES', '12345678Z'],
    ['ES', 'X-1234567-L'],
    ['FI', '131052-308T'],
    ['FR', '2 55 08 14 168 025 38'],
    ['GB', 'AB 12 34 56 C'],
    ['HR', 'OIB 33392005961'],
    ['IE', '6433435F'],
    ['IN', '2341 2341 2346'],
    ['IT', 'RSSMRA85T10A562S'],
    ['GB', 'NHS 943 476 5919'],
    ['JP', 'My Number 1234 5678 9018'],
    ['KR', '860824-1655068'],
    ['NL', 'BSN 111222333'],
    ['NO', '01010750160'],
    ['PL', '44051401359'],
    ['PT', 'NIF 123456789'],
    ['RO', '1630615123457'],
    ['RU', '112-233-445 95'],
    ['SE', '811228-9874'],
    ['TR', '17291716060'],
    ['US', '219-09-9999'],
    ['ZA', '7503305044089'],
  ])('%s: %s', (_, text) => {
    const digits = text.replace(/^(?:ЕГН|my SIN is|OIB|BSN|NIF|NHS|My Number) /, '')
    expect(found(text)).toEqual([`national_id: ${digits}`])
  })

  test.each(['86 095 742 718', '12345678A', '2 55 08 14 168 025 39', '44051401358', '11010519491231002Y', '219-00-9999', '111222333'])(
    'leaves %s alone',
    (text) => {
      expect(found(text)).toEqual([])
    },
  )
})

describe('finds contact details', () => {
  test.each([
    ['write to max.muster+spam@example.co.uk.', ['email: max.muster+spam@example.co.uk']],
    ['anna (at) firma [dot] com', ['email: anna (at) firma [dot] com']],
    ['+49 (0)30 901820, or (415) 555-2671', ['telephone: +49 (0)30 901820', 'telephone: (415) 555-2671']],
    ['0171 1234567 / 06 12 34 56 78', ['telephone: 0171 1234567', 'telephone: 06 12 34 56 78']],
    ['07911 123456, 612 345 678, 0049 170 1234567', ['telephone: 07911 123456', 'telephone: 612 345 678', 'telephone: 0049 170 1234567']],
    ['call me on 555-0123', ['telephone: 555-0123']],
    ['电话13800138000', ['telephone: 13800138000']],
    ['身份证号11010519491231002X能', ['national_id: 11010519491231002X']],
    ['call0161 496 0321now', ['telephone: 0161 496 0321']],
    ['Ich wohne in der Musterstraße 12a, 12345 Berlin und', ['address: Musterstraße 12a, 12345 Berlin']],
    ['musterstr. 5 50667 köln', ['address: musterstr. 5 50667 köln']],
    ['Unter den Linden 5, 10117 Berlin', ['address: Unter den Linden 5, 10117 Berlin']],
    ['12 rue de la République, 75001 Paris', ['address: 12 rue de la République, 75001 Paris']],
    ['Flat 3, 221b Baker Street, London NW1 6XE', ['address: Flat 3, 221b Baker Street, London NW1 6XE']],
    ['742 Evergreen Terrace, Springfield, IL 62704', ['address: 742 Evergreen Terrace, Springfield, IL 62704']],
    ['Calle Mayor 5, 3º B, 28013 Madrid', ['address: Calle Mayor 5, 3º B, 28013 Madrid']],
    ['Via Roma 10, 00184 Roma', ['address: Via Roma 10, 00184 Roma']],
  ])('%s', (text, expected) => {
    expect(found(text)).toEqual(expected)
  })
})

describe('leaves other numbers alone', () => {
  test.each([
    'my order 4111 1111 1111 1112',
    'DE89 3704 0044 0532 0130 01',
    'ISBN 978-3-16-148410-0',
    'parcel 1Z999AA10123456784',
    '192.168.100.200, 2024-01-01 12:30, v1.2.3',
    '12.03.2024-14.03.2024',
    'invoice 2024-00012345 of 1.234.567,89 €',
    '48.137154, 11.576124',
    'lodash@1.2.3, @handle, git@github.com:owner/name',
    'Artikel 5, 10115 Euro',
    'on 2,000 pages, § 823 Abs. 1 BGB',
    '+12,345,678,901 € of 12,345,678,901',
    '41,50 42,30 43,10 44,96 and 41,50,42,30,43,10,44,96',
    '10³, 5½, ①, ②, E = mc²&#33;',
  ])('%s', (text) => {
    expect(found(text)).toEqual([])
  })
})

test('reports positions in order, without overlaps, in the text as it was typed', () => {
  const text = '\u200bmail a@example.org, card ４１１１ １１１１ １１１１ １１１１, tel +49 30 901820'
  const matches = findPersonalData(text)
  expect(matches.map(({ kind }) => kind)).toEqual(['email', 'card', 'telephone'])
  expect(matches.map(({ start, end }) => text.slice(start, end))).toEqual([
    'a@example.org',
    '４１１１ １１１１ １１１１ １１１１',
    '+49 30 901820',
  ])
})

test.each(['4 ', '1.', 'a@', '12345 B', 'Am Markt ', '+1 (', '12 rue la ', '①4,111,'])('ends on %j, repeated a million times', (piece) => {
  expect(findPersonalData(piece.repeat(1_000_000)).length).toBeGreaterThanOrEqual(0)
})
