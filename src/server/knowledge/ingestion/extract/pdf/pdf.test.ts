import { describe, expect, test } from 'vitest'
import { type PlacedText, placedPdfOf } from '../../../../../../test/support/pdf.ts'
import { passagesOf } from '../../passages.ts'
import { readPdf } from './pdf.ts'

type Options = Parameters<typeof placedPdfOf>[1]

/** All that is read of a PDF, a line for each of its lines. */
async function linesOf(pages: PlacedText[][], options: Options = {}): Promise<string[]> {
  const passages = passagesOf('a.pdf', await readPdf(placedPdfOf(pages, options)))
  return passages.flatMap(({ text }) => text.split(/\n+/))
}

const FEES: PlacedText[] = [
  [100, 700, 'Zone'],
  [200, 700, 'Fee'],
  [300, 700, 'Day'],
  [100, 680, 'North'],
  [200, 680, '2.40'],
  [300, 680, '6.00'],
  [100, 660, 'South'],
  [200, 660, '3.10'],
  [300, 660, '7.50'],
]
const FEE_LINES = ['- Zone: North; Fee: 2.40; Day: 6.00', '- Zone: South; Fee: 3.10; Day: 7.50']

describe('a page that is turned', () => {
  const turned = (matrix: string): Options => ({
    page: `/MediaBox[0 0 792 612]`,
    drawing: FEES.map(([x, y, text]) => `q ${matrix} cm BT /F1 12 Tf ${x} ${y} Td (${text}) Tj ET Q`).join('\n'),
  })

  test.each([
    ['by its own word, to the right', { ...turned('0 1 -1 0 792 0'), page: '/MediaBox[0 0 792 612]/Rotate 90' }],
    ['by its own word, to the left', { ...turned('0 -1 1 0 0 612'), page: '/MediaBox[0 0 792 612]/Rotate 270' }],
    ['by its text alone, which reads upwards', turned('0 1 -1 0 792 0')],
    ['by its text alone, which reads downwards', turned('0 -1 1 0 0 612')],
  ])('%s, is read as it is shown', async (_, options) => {
    expect(await linesOf([[]], options)).toEqual(FEE_LINES)
  })

  test('has its struck text left out', async () => {
    const { drawing = '', page } = turned('0 1 -1 0 792 0') ?? {}
    const strike = 'q 0 1 -1 0 792 0 cm 1 w 300 664 m 330 664 l S Q'
    expect((await linesOf([[]], { page: `${page}/Rotate 90`, drawing: `${drawing}\n${strike}` })).at(-1)).toBe(
      '- Zone: South; Fee: 3.10; Day: –',
    )
  })
})

describe('dots', () => {
  const prices: PlacedText[] = [
    [72, 700, 'Coffee ..................'],
    [200, 700, '2'],
    [72, 680, 'Cake ....................'],
    [200, 680, '3'],
    [72, 660, 'Breakfast ...............'],
    [200, 660, '9'],
  ]

  test('lead to a price', async () => {
    expect(await linesOf([prices])).toEqual(['- Coffee: 2', '- Cake: 3', '- Breakfast: 9'])
  })

  test('lead to the pages of a table of contents, which is left out', async () => {
    const pages = Array.from({ length: 5 }, (_, index): PlacedText[] => [[72, 700, `Chapter ${index + 1} begins here.`]])
    expect((await linesOf([prices, ...pages])).join(' ')).not.toMatch(/Coffee|\.\.\./)
  })
})

test('a poster, whose text is all large, is read', async () => {
  const page: PlacedText[] = [
    [72, 700, 'Ensalada 9 euros', 30],
    [72, 620, 'Tortilla 7 euros', 24],
    [72, 540, 'Sopa 5 euros', 24],
    [72, 100, 'Prices include tax and service, and are those of this summer.', 9],
    [72, 88, 'Ask for what contains nuts, milk or gluten before you order.', 9],
  ]
  expect((await linesOf([page])).join('\n')).toMatch(/Tortilla 7 euros[^]*Sopa 5 euros[^]*Prices include/)
})

test.each([
  ['a comment without a place harms nothing', '<</Type/Annot/Subtype/Text/Contents(x)>>', 'Name:'],
  [
    'what was typed on the page is read beside its label',
    '<</Type/Annot/Subtype/FreeText/Rect[120 695 300 715]/Contents(Ada)/DA(/F1 12 Tf)/AP<</N 99 0 R>>>>',
    'Name: Ada',
  ],
])('%s', async (_, annotations, expected) => {
  expect(await linesOf([[[72, 700, 'Name:']]], { annotations })).toEqual([expected])
})

test('the header of a table that goes on is kept on each page, and a running head on none', async () => {
  const page = (name: string): PlacedText[] => [
    [72, 760, 'Price list of the town'],
    [72, 740, 'Zone'],
    [200, 740, 'Fee'],
    [300, 740, 'Day'],
    [72, 720, `${name} one`],
    [200, 720, '2.40'],
    [300, 720, '6.00'],
    [72, 700, `${name} two`],
    [200, 700, '3.10'],
    [300, 700, '7.50'],
  ]
  const lines = await linesOf([page('A'), page('B'), page('C')])
  expect(lines).toHaveLength(6)
  for (const line of lines) expect(line).toMatch(/^- Zone: [ABC] (?:one|two); Fee: [\d.]+; Day: [\d.]+$/)
})

test('a line over several columns stands before the table, which keeps its columns', async () => {
  const over: PlacedText[] = [
    [72, 720, 'Year'],
    [170, 720, 'Tickets sold to adults and children'],
  ]
  const rows = ['2023 410 520', '2024 430 580'].map((row, at) =>
    row.split(' ').map((text, x): PlacedText => [72 + 120 * x, 680 - 20 * at, text]),
  )
  const header: PlacedText[] = [
    [72, 700, 'Season'],
    [192, 700, 'Pool'],
    [312, 700, 'Hall'],
  ]
  const lines = await linesOf([[...over, ...header, ...rows.flat()]])
  expect(lines.slice(-2)).toEqual(['- Season: 2023; Pool: 410; Hall: 520', '- Season: 2024; Pool: 430; Hall: 580'])
  expect(lines.join(' ')).toContain('Tickets sold to adults and children')
})

test('years are headers of columns, unless all of a table is years', async () => {
  const table = (rows: string[][]) => rows.flatMap((row, y) => row.map((text, x): PlacedText => [72 + 120 * x, 700 - 20 * y, text]))
  expect(
    await linesOf([
      table([
        ['Visits', '2023', '2024'],
        ['Pool', '410', '520'],
        ['Library', '90', '80'],
      ]),
    ]),
  ).toEqual(['- Visits: Pool; 2023: 410; 2024: 520', '- Visits: Library; 2023: 90; 2024: 80'])
  expect(
    await linesOf([
      table([
        ['Hall', '1901', '1950'],
        ['Pool', '1970', '2003'],
        ['School', '1980', '1999'],
      ]),
    ]),
  ).toEqual(['- Hall; 1901; 1950', '- Pool; 1970; 2003', '- School; 1980; 1999'])
})

describe('a numbered line', () => {
  const sectionsOf = async (texts: PlacedText[], options: Options = {}) => (await readPdf(placedPdfOf([texts], options))).sections
  const bold = (y: number, text: string) => `BT /F2 12 Tf 72 ${y} Td (${text}) Tj ET`
  const fonts = '/Resources<</Font<</F1 3 0 R/F2<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold>>>>>>'
  const body: PlacedText[] = [
    [72, 680, 'A permit costs 30 euros a year, for each car of a household.'],
    [72, 600, 'A dog costs 90 euros a year, and each other one costs twice as much.'],
  ]

  test.each([
    ['1.', '2.'],
    ['A.', 'B.'],
    ['I.', 'II.'],
    ['1)', '2)'],
  ])('of larger text is a heading: %s', async (one, other) => {
    const heads: PlacedText[] = [
      [72, 700, `${one} Parking`, 16],
      [72, 620, `${other} Dog tax`, 16],
    ]
    const read = await sectionsOf([...heads, ...body])
    expect(read.map(({ heading }) => heading)).toEqual([`${one} Parking`, `${other} Dog tax`])
  })

  test('of bold text is a heading', async () => {
    const read = await sectionsOf(body, { page: fonts, drawing: `${bold(700, '1. Parking')}\n${bold(620, '2. Dog tax')}` })
    expect(read.map(({ heading }) => heading)).toEqual(['1. Parking', '2. Dog tax'])
  })

  test('is an item of a list in the text\u2019s own font, and beside others like it in any', async () => {
    const list: PlacedText[] = [
      [72, 560, '1. Bring the form.'],
      [72, 540, '2. Bring a photo'],
    ]
    const large: PlacedText[] = [
      [72, 460, '1. Large one', 16],
      [72, 440, '2. Large two', 16],
    ]
    const drawing = `${bold(400, '1. Bold one')}\n${bold(380, '2. Bold two')}`
    const read = await sectionsOf([...body, ...list, ...large, [72, 340, 'The office is open on Mondays.']], { page: fonts, drawing })
    expect(read.map(({ heading }) => heading)).toEqual([''])
    const texts = read[0]?.blocks.map(({ text }) => text)
    expect(texts).toEqual(expect.arrayContaining(['1. Bring the form.', '2. Bring a photo', '2. Large two', '1. Bold one', '2. Bold two']))
  })
})

describe('a cell of several lines', () => {
  const rows = [
    [
      ['Passport for adults and', 'Old passport, a photo', '60 euros'],
      ['children over twelve', 'and a certificate', ''],
    ],
    [['Identity card', 'Photo', '37 euros']],
    [
      ['Parking permit of the', 'Registration of the car', '30 euros'],
      ['residents', '', ''],
    ],
  ]
  /** The rows under a header, and the heights between them. */
  const table = (rowGap: number) => {
    const texts: PlacedText[] = [
      [72, 700, 'Service'],
      [222, 700, 'Documents'],
      [372, 700, 'Fee'],
    ]
    const borders = [715]
    let y = 700
    for (const row of rows) {
      borders.push(y - (rowGap - 9))
      y -= rowGap - 14
      for (const line of row) {
        y -= 14
        texts.push(...line.flatMap((text, x): PlacedText[] => (text === '' ? [] : [[72 + 150 * x, y, text]])))
      }
    }
    return { texts, borders: [...borders, y - (rowGap - 9)] }
  }
  const rules = (heights: number[]) => heights.map((y) => `70 ${y} m 460 ${y} l S`).join('\n')
  const whole = [
    '- Service: Passport for adults and children over twelve; Documents: Old passport, a photo and a certificate; Fee: 60 euros',
    '- Service: Identity card; Documents: Photo; Fee: 37 euros',
    '- Service: Parking permit of the residents; Documents: Registration of the car; Fee: 30 euros',
  ]

  test('is one cell between drawn lines', async () => {
    const { texts, borders } = table(16)
    expect(await linesOf([texts], { drawing: rules(borders) })).toEqual(whole)
  })

  test('is one cell where its lines are nearer than the rows', async () => {
    expect(await linesOf([table(22).texts])).toEqual(whole)
  })

  test('is told from rows between lines around the head and the body', async () => {
    const { texts, borders } = table(16)
    const lines = await linesOf([texts], { drawing: rules([borders[0] ?? 0, borders[1] ?? 0, borders.at(-1) ?? 0]) })
    expect(lines).toContain('- Service: Identity card; Documents: Photo; Fee: 37 euros')
    expect(
      await linesOf([FEES.map(([x, y, text]): PlacedText => [x, y - (y < 690 ? 8 : 0), text])], { drawing: rules([715, 692, 640]) }),
    ).toEqual(FEE_LINES)
  })

  test('is one cell of a grid, at any height beside the others', async () => {
    const texts: PlacedText[] = [
      [72, 707, 'Service'],
      [202, 707, 'Documents that you bring'],
      [352, 707, 'Fee'],
      [202, 687, 'An old passport, with'],
      [72, 680, 'A passport'],
      [352, 680, '60'],
      [202, 673, 'a new photo'],
      [72, 653, 'A card'],
      [202, 653, 'A photo'],
      [352, 653, '37'],
      [72, 633, 'A dog'],
      [352, 633, '90'],
    ]
    const uprights = [70, 200, 350, 400].map((x) => `${x} 720 m ${x} 628 l S`).join('\n')
    expect(await linesOf([texts], { drawing: `${rules([720, 700, 668, 648, 628])}\n${uprights}` })).toEqual([
      '- Service: A passport; Documents that you bring: An old passport, with a new photo; Fee: 60',
      '- Service: A card; Documents that you bring: A photo; Fee: 37',
      '- Service: A dog; Documents that you bring: \u2013; Fee: 90',
    ])
  })
})

test('upright lines part cells that are near each other', async () => {
  const rows = [
    ['Zone', 'Single', 'Return'],
    ['Zone 10', '10 EUR', '20 EUR'],
    ['Zone 11', '11 EUR', '22 EUR'],
    ['Zone 12', '12 EUR', '24 EUR'],
  ]
  const texts = rows.flatMap((row, y) => row.map((text, x): PlacedText => [72 + 52 * x, 700 - 20 * y, text]))
  const drawing = [70, 121, 173, 225].map((x) => `${x} 625 1 90 re f`).join('\n')
  expect(await linesOf([texts], { drawing })).toEqual([
    '- Zone: Zone 10; Single: 10 EUR; Return: 20 EUR',
    '- Zone: Zone 11; Single: 11 EUR; Return: 22 EUR',
    '- Zone: Zone 12; Single: 12 EUR; Return: 24 EUR',
  ])
})
