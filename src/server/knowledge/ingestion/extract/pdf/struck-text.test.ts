import { describe, expect, test } from 'vitest'
import { type PlacedText, placedPdfOf } from '../../../../../../test/support/pdf.ts'
import { readPdf } from './pdf.ts'

/** In 12 points, 67 is from 76.7 to 90 and 89 from 93.4 to 106.7. */
const FIGURES: PlacedText[] = [[60, 400, '45 67 89']]

async function read(texts: PlacedText[], options: { drawing?: string; annotations?: string }): Promise<string> {
  const { sections } = await readPdf(placedPdfOf([texts], options))
  return sections
    .flatMap(({ heading, blocks }) => [heading, ...blocks.map(({ text }) => text)])
    .join('\n')
    .trim()
}

describe('text is left out that', () => {
  test.each([
    ['a filled rectangle crosses', '76.7 403 13.3 0.6 re f'],
    ['one of several filled rectangles crosses', '60 500 100 1 re 76.7 403 13.3 0.6 re 60 400 100 1 re f*'],
    ['a stroked line crosses', '0.7 w 76.7 403.3 m 90 403.3 l S'],
    ['a line on a scaled and mirrored page crosses', 'q .24 0 0 -.24 0 792 cm 319.6 1617 55.4 3 re f Q'],
    ['two lines cross', '76.7 402.4 13.3 0.5 re 76.7 404.4 13.3 0.5 re f'],
    ['parts of a line cross', '76.7 403 6.6 0.6 re f 83.3 403 6.7 0.6 re f'],
  ])('%s', async (_, drawing) => {
    expect(await read(FIGURES, { drawing })).toBe('45 89')
  })

  test('begins or ends within a word', async () => {
    expect(await read([[60, 400, '450 678']], { drawing: '60 403 6.7 0.6 re f 90 403 13.3 0.6 re f' })).toBe('50 6')
  })

  test('stands raised in what is crossed', async () => {
    const texts: PlacedText[] = [...FIGURES, [107, 404, '2', 7]]
    expect(await read(texts, { drawing: '93.4 403 18 0.6 re f' })).toBe('45 67')
  })

  test('is commented as struck', async () => {
    const comment = (flags: number) =>
      `<</Type/Annot/Subtype/StrikeOut/F ${flags}/Rect[76 397 91 411]/QuadPoints[76.7 410 90 410 76.7 398 90 398]/C[1 0 0]>>`
    expect(await read(FIGURES, { annotations: comment(4) })).toBe('45 89')
    expect(await read(FIGURES, { annotations: comment(2) })).toBe('45 67 89')
  })

  test('is outside of the page', async () => {
    const outside: PlacedText[] = [
      [-90, 400, 'left'],
      [620, 400, 'right'],
      [60, 800, 'above'],
      [60, -20, 'below'],
    ]
    expect(await read([...FIGURES, ...outside], {})).toBe('45 67 89')
  })
})

describe('text is kept', () => {
  test.each([
    ['above a line under it', '76.7 398 13.3 0.6 re f'],
    ['on a line that goes on, as of a table or a chart', '0.6 w 20 403 m 580 403 l S'],
    ['on a marker', '10 w 76.7 404 m 90 404 l S'],
    ['on a background', '76.7 397 13.3 14 re f'],
    ['in a box', '76.7 397 13.3 14 re S'],
    ['under a slanted line', '76.7 400 m 90 409 l S'],
    ['where a line only limits what is drawn', 'q 76.7 403 13.3 0.6 re W n Q'],
  ])('%s', async (_, drawing) => {
    expect(await read(FIGURES, { drawing })).toBe('45 67 89')
  })

  test('above and below the line of a fraction', async () => {
    const texts: PlacedText[] = [
      [60, 405, '12', 9],
      [60, 392, '34', 9],
    ]
    expect(await read(texts, { drawing: '60 402 10 0.5 re f' })).toMatch(/12[^]*34/)
  })

  test('of a page with more lines than text has', async () => {
    const drawing = Array.from({ length: 6_000 }, (_, index) => `60 ${(index * 792) / 6_000} 46 0.01 re f`).join('\n')
    expect(await read(FIGURES, { drawing })).toBe('45 67 89')
  })
})
