import { describe, expect, test } from 'vitest'
import { docxOf, odfOf, pptxOf, zipOf } from '../../../../../test/support/office-files.ts'
import { type PlacedText, placedPdfOf } from '../../../../../test/support/pdf.ts'
import { passagesOf } from '../passages.ts'
import { formatOf } from './extract.ts'

/** Text that can be quoted to visitors, each passage below its headings. */
async function quoted(ending: string, content: string | Buffer): Promise<string> {
  const document = await formatOf(`a${ending}`)?.read(Buffer.from(content))
  const passages = document ? passagesOf(`a${ending}`, document) : []
  return passages.map(({ path, text }) => [...path, text].join('\n')).join('\n')
}

type Table = [text: string, columns?: number, rows?: number][][]
const PRICES: Table = [
  [
    ['Zone', 1, 2],
    ['Adult', 2],
    ['Child', 2],
  ],
  [['Single'], ['Day'], ['Single'], ['Day']],
  [['A'], ['2'], ['6'], [''], ['3']],
  [['B'], ['3'], ['7'], ['1'], ['']],
]
const PRICE_LINES =
  '- Zone: A; Adult Single: 2; Adult Day: 6; Child Single: –; Child Day: 3\n- Zone: B; Adult Single: 3; Adult Day: 7; Child Single: 1; Child Day: –'
const HOURS: Table = [
  [['Monday'], ['9–12']],
  [['Tuesday'], ['closed']],
]

/** The cells of each row; null where a merged one goes on. */
function placesOf(table: Table): (Table[number][number] | null)[][] {
  const grid: (Table[number][number] | null)[][] = table.map(() => [])
  for (const [row, cells] of table.entries()) {
    let at = 0
    for (const cell of cells) {
      const [, columns = 1, rows = 1] = cell
      while (grid[row]?.[at] !== undefined) at += 1
      for (let down = 0; down < rows; down += 1)
        for (let across = 0; across < columns; across += 1) (grid[row + down] ?? [])[at + across] = down + across === 0 ? cell : null
    }
  }
  return grid
}

const gridOf = (table: Table): string[][] => placesOf(table).map((row) => row.map((cell) => cell?.[0] ?? ''))

const html = (table: Table) =>
  `<table>${table.map((row) => `<tr>${row.map(([text, columns = 1, rows = 1]) => `<td colspan="${columns}" rowspan="${rows}">${text}</td>`).join('')}</tr>`).join('')}</table>`
const aria = (table: Table) =>
  `<div role="table">${gridOf(table)
    .map((row) => `<div role="row">${row.map((text) => `<span role="cell">${text}</span>`).join('')}</div>`)
    .join('')}</div>`
const markdown = ([header = [], ...rows]: string[][]) =>
  [header, header.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
const word = (table: Table) => {
  const lines = placesOf(table).map((row) => {
    const cells = row.map((cell, at) => {
      const [text, columns = 1, rows = 1] = cell ?? ['']
      if (cell === null && at > 0) return ''
      const merge = rows > 1 ? '<w:vMerge w:val="restart"/>' : cell === null ? '<w:vMerge/>' : ''
      return `<w:tc><w:tcPr><w:gridSpan w:val="${columns}"/>${merge}</w:tcPr><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`
    })
    return `<w:tr>${cells.join('')}</w:tr>`
  })
  return `<w:tbl>${lines.join('')}</w:tbl>`
}
const slide = (table: Table) =>
  `<p:graphicFrame><a:tbl>${table.map((row) => `<a:tr>${row.map(([text, columns = 1, rows = 1]) => `<a:tc gridSpan="${columns}" rowSpan="${rows}"><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:tc>`).join('')}</a:tr>`).join('')}</a:tbl></p:graphicFrame>`
const openDocument = (table: Table) => {
  const lines = placesOf(table).map((row) => {
    const cells = row.map((cell) => {
      if (cell === null) return '<table:covered-table-cell/>'
      const [text, columns = 1, rows = 1] = cell
      const span = `table:number-columns-spanned="${columns}" table:number-rows-spanned="${rows}"`
      return `<table:table-cell ${span}><text:p>${text}</text:p></table:table-cell>`
    })
    return `<table:table-row>${cells.join('')}</table:table-row>`
  })
  return `<table:table table:name="T">${lines.join('')}</table:table>`
}
const rtf = (table: Table) =>
  `{\\rtf1\\ansi ${gridOf(table)
    .map((row) => `\\trowd\\intbl ${row.map((text) => `${text.replace('–', '\\endash ')}\\cell `).join('')}\\row`)
    .join('')}}`
const pdf = (table: Table) =>
  placedPdfOf([
    gridOf(table).flatMap((row, at) => row.map((text, index): PlacedText => [60 + index * 100, 700 - at * 20, text.replace('–', '-')])),
  ])

const TABLES: Record<string, (table: Table) => Promise<string>> = {
  HTML: (table) => quoted('.html', html(table)),
  'ARIA in HTML': (table) => quoted('.html', aria(table)),
  Markdown: (table) => quoted('.md', markdown(gridOf(table))),
  'HTML in Markdown': (table) => quoted('.md', `Prices\n\n${html(table)}`),
  Word: async (table) => quoted('.docx', await docxOf(`${word(table)}<w:p><w:r><w:t>End.</w:t></w:r></w:p>`)),
  PowerPoint: async (table) => quoted('.pptx', await pptxOf([{ shapes: slide(table) }])),
  'OpenDocument text': async (table) => quoted('.odt', await odfOf('text', openDocument(table))),
  'OpenDocument sheet': async (table) => quoted('.ods', await odfOf('spreadsheet', openDocument(table))),
  CSV: (table) =>
    quoted(
      '.csv',
      gridOf(table)
        .map((row) => row.join(';'))
        .join('\n'),
    ),
  RTF: (table) => quoted('.rtf', rtf(table)),
  PDF: (table) => quoted('.pdf', pdf(table)),
}

test.each(Object.entries(TABLES))('%s: headers of two rows are one, and an empty cell is said', async (_, read) => {
  expect(await read(PRICES)).toContain(PRICE_LINES)
})

test.each(Object.entries(TABLES).filter(([name]) => name !== 'Markdown'))(
  '%s: two columns without headers are names and values',
  async (_, read) => {
    expect((await read(HOURS)).replaceAll('-12', '–12')).toContain('- Monday: 9–12\n- Tuesday: closed')
  },
)

test.each(Object.entries(TABLES).filter(([name]) => !['PDF', 'ARIA in HTML'].includes(name)))(
  '%s: the headings of groups tell rows with the same name apart',
  async (_, read) => {
    const groups: Table = [
      [['Ticket'], ['Price'], ['Valid']],
      [['Adults'], [''], ['']],
      [['Single'], ['2'], ['1 h']],
      [['Children'], [''], ['']],
      [['Single'], ['1'], ['1 h']],
    ]
    expect(await read(groups)).toContain('- Adults; Ticket: Single; Price: 2; Valid: 1 h\n- Children; Ticket: Single; Price: 1; Valid: 1 h')
  },
)

test('several tables of a sheet have their own headers', async () => {
  expect(await quoted('.csv', 'Office;Fee\nPool;3\n\nCourses\nCourse;Day;Price\nSwim;Monday;30\n')).toMatch(
    /- Office: Pool; Fee: 3\n[^]*Courses[^]*- Course: Swim; Day: Monday; Price: 30/,
  )
})

describe('tables of a page', () => {
  test('hidden rows are left out, a foot comes last, and a group is no header', async () => {
    const table =
      '<table><thead><tr><th>Item<th>Fee</thead><tfoot><tr><td colspan="2">All in euros.</tfoot><tr><th colspan="2">Cards<tr><td>New<td>37<tr hidden><td>SECRET<td>9<tr style="display:none"><td>SECRET<td>9</table>'
    expect(await quoted('.html', table)).toMatch(/- Cards; Item: New; Fee: 37\n- All in euros\.$/)
  })
})

describe('a page', () => {
  const INTRODUCTION = `<p>${'The town explains what its offices do. '.repeat(8)}</p>`

  test('without main keeps boxes with unlucky names in its content', async () => {
    const boxes = '<div class="header">Hotline 555-01.</div><section id="search"><h2>Search for a flat</h2><p>We keep a list.</p></section>'
    const text = await quoted('.html', `<div class="footer">Imprint</div><div id="content"><h1>a</h1>${INTRODUCTION}${boxes}</div>`)
    expect(text).toContain('Hotline 555-01.')
    expect(text).toContain('We keep a list.')
    expect(text).not.toContain('Imprint')
  })

  test('is read without what classes of frameworks hide on every screen', async () => {
    const hidden =
      '<p class="d-none">SECRET</p><p class="mt-2 hidden">SECRET</p><p class="d-none d-lg-block">One.</p><p class="hidden md:block">Two.</p>'
    const panel = '<div><button aria-expanded="false" aria-controls="p">Q</button><div id="p" class="hidden">Three.</div></div>'
    const text = await quoted('.html', `<main><h1>a</h1>${INTRODUCTION}${hidden}${panel}</main>`)
    expect(text).toMatch(/One\.[^]*Two\.[^]*Three\./)
    expect(text).not.toContain('SECRET')
  })

  test('has a title above a table as a line, and the headers beside its values', async () => {
    const titled = '<table><tr><td colspan="2"><b>Fees</b><tr><td><b>Zone</b><td><b>Day</b><tr><td>A<td>6</table>'
    expect(await quoted('.html', titled)).toBe('- Fees\n- Zone: A; Day: 6')
    const beside = '<table><tr><th>Zone<td>A<td>B<tr><th>Single<td>2<td>3<tr><th>Day<td><td>7</table>'
    expect(await quoted('.html', beside)).toBe('- Zone: Single; A: 2; B: 3\n- Zone: Day; A: –; B: 7')
    const days = '<table><tr><th>Monday<td>open<td>closed<tr><th>Tuesday<td>closed<td>open</table>'
    expect(await quoted('.html', days)).toBe('- Monday; open; closed\n- Tuesday; closed; open')
  })
})

describe('what a visitor opens', () => {
  test.each([
    [
      'tabs by their order',
      '<ul role="tablist"><li role="tab">Adults<li role="tab">Q</ul><div><div role="tabpanel"><p>x</div><div role="tabpanel" hidden><p>A</div></div>',
    ],
    [
      'labels by their order',
      '<div class="tabbed-labels"><label for="a">Adults</label><label for="b">Q</label></div><div><div><p>x</div><div><p>A</div></div>',
    ],
    [
      'a button before what is hidden',
      '<div x-data><button @click="open = !open">Q</button><div x-show="open" style="display:none">A</div></div>',
    ],
    ['a box that a script opens', '<div><div @click="open = !open">Q</div><div style="display: none;">A</div></div>'],
    ['a block for questions', '<div><strong class="schema-faq-question">Q</strong><p class="schema-faq-answer">A</p></div>'],
    ['slots', '<ion-accordion><ion-item slot="header">Q</ion-item><div slot="content">A</div></ion-accordion>'],
    ['details one after the other', '<details><summary><h3>Other</h3></summary>x</details><details><summary>Q</summary>A</details>'],
    [
      'an icon in a header',
      '<ul class="collapsible"><li><div class="collapsible-header"><i class="material-icons">place</i>Q</div><div class="collapsible-body">A</div></ul>',
    ],
  ])('%s', async (_, content) => {
    const text = await quoted('.html', `<main><h1>a</h1><p>${'The town explains what its offices do. '.repeat(8)}</p>${content}</main>`)
    expect(text).toMatch(/(?:^|\n)(?:#+ )?Q\n+A/)
    expect(text).not.toMatch(/place|Other\nQ/)
  })

  test('components of MDX and details in Markdown', async () => {
    const text = await quoted(
      '.md',
      'import Tabs from \'tabs\'\n\n## Install\n\n<Tabs>\n<TabItem value="a" label="Windows">\n\nUse the store.\n\n</TabItem>\n</Tabs>\n\nAfter.\n\n<details>\n<summary>Where?</summary>\n\nHere.\n\n</details>\n\nEnd.',
    )
    expect(text).toBe('Install\nWindows\nUse the store.\nInstall\nAfter.\nInstall\nWhere?\nHere.\nInstall\nEnd.')
  })
})

const WORD_NUMBERS =
  '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="decimal"/><w:lvlText w:val="§ %1"/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2)"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>'

describe('numbers of lists', () => {
  test('Word: as its lists count, also in headings', async () => {
    const item = (text: string, level: number) =>
      `<w:p><w:pPr>${level === 0 ? '<w:pStyle w:val="Heading1"/>' : ''}<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
    const { default: JsZip } = await import('jszip')
    const zip = await JsZip.loadAsync(
      await docxOf(item('Fees', 0) + item('adults', 1) + item('children', 1) + item('Hours', 0) + item('pool', 1)),
    )
    zip.file(
      'word/numbering.xml',
      `<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${WORD_NUMBERS}</w:numbering>`,
    )
    const part = 'word/_rels/document.xml.rels'
    const stated = (await zip.file(part)?.async('string')) ?? ''
    zip.file(
      part,
      stated.replace(
        '</Relationships>',
        '<Relationship Id="n" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/numbering" Target="numbering.xml"/></Relationships>',
      ),
    )
    const text = await quoted('.docx', await zip.generateAsync({ type: 'nodebuffer' }))
    expect(text.replace(/\n+/g, '\n')).toBe('3.a) adults\n3.b) children\n§ 4 Hours\n4.a) pool')
  })

  test('OpenDocument: lists go on, and inner ones have their letters', async () => {
    const item = (text: string, rest = '') => `<text:list-item><text:p>${text}</text:p>${rest}</text:list-item>`
    const style = (level: number, format: string) =>
      `<text:list-level-style-number text:level="${level}" style:num-format="${format}" style:num-suffix="."/>`
    const body = `<text:list-style style:name="N">${style(1, '1')}${style(2, 'a')}</text:list-style><text:list text:style-name="N">${item('one')}${item('two', `<text:list>${item('inner')}</text:list>`)}</text:list><text:p>Between</text:p><text:list text:style-name="N" text:continue-numbering="true">${item('three')}</text:list>`
    expect((await quoted('.odt', await odfOf('text', body))).replace(/\n+/g, '\n')).toBe('1. one\n2. two\na. inner\nBetween\n3. three')
  })

  test('HTML: also before an item of several paragraphs', async () => {
    expect(await quoted('.html', '<ol start="4"><li><p>Fill in.</p><p>Sign.</p></li></ol>')).toBe('4. Fill in.\n\nSign.')
  })
})

describe('raised figures and notes', () => {
  test.each([
    ['.html', '<p>10<sup>3</sup> people<sup>[2]</sup>, Zone open<sup>a</sup></p>', '10³ people [2], Zone open a'],
    ['.md', '10^3^ people, H~2~O, 10<sup>3</sup>, ~~old~~ new^[A note]', '10³ people, H2O, 10³,  new (A note)'],
    ['.rtf', '{\\rtf1 10{\\super 3} people{\\super\\chftn}{\\*\\footnote\\pard {\\super\\chftn} A note.}.\\par}', '10³ people (A note.).'],
    [
      '.rtf',
      '{\\rtf1 {\\field{\\*\\fldinst HYPERLINK "https://a.example"}{\\fldrslt One}}, {\\field{\\*\\fldinst HYPERLINK "mailto:b@c.example"}{\\fldrslt Two}}\\par}',
      'One (https://a.example), Two (b@c.example)',
    ],
  ])('%s %s', async (ending, content, text) => {
    expect(await quoted(ending, content)).toBe(text)
  })

  test('PDF, PowerPoint and EPUB', async () => {
    const page: PlacedText[] = [
      [60, 700, 'An area of 50 m', 10],
      [131, 704, '2', 6],
    ]
    expect(await quoted('.pdf', placedPdfOf([page]))).toBe('An area of 50 m²')
    const run = (text: string, properties = '') => `<a:r><a:rPr ${properties}/><a:t>${text}</a:t></a:r>`
    const shapes = `<p:sp><p:txBody><a:p>${run('10')}${run('3', 'baseline="30000"')}</a:p></p:txBody></p:sp>`
    expect(await quoted('.pptx', await pptxOf([{ shapes }]))).toBe('10³')
    const chapter =
      '<p>It costs 4 euros.<a href="n.xhtml#n1" epub:type="noteref">1</a></p><p>A note. <a role="doc-backlink" href="#r">↩</a></p>'
    expect(await quoted('.epub', await epubWith(chapter))).toBe('It costs 4 euros.\n\nA note.')
  })
})

describe('elements that their own tags close', () => {
  const heads = ['<title/>', '<title></title><script src="a.js"/>', '<style/>', '<title>A</title><link href="a.css"/>']
  const body = '<a id="p"/><h2><a id="q"/>One</h2><div id="z"/><p>About cats.<br/>And dogs.</p>'

  test.each(heads)('a chapter of a book after %s, and a file of XHTML', async (head) => {
    expect(await quoted('.epub', await epubWith(body, head))).toBe('One\nAbout cats.\nAnd dogs.')
    expect(await quoted('.html', `<?xml version="1.0"?><html><head>${head}</head><body>${body}</body></html>`)).toMatch(
      /About cats\.\nAnd dogs\.$/,
    )
  })

  test('a chapter without text is named, but for a picture alone', async () => {
    const read = async (...chapters: string[]) => (await formatOf('a.epub')?.read(await epubWith(chapters)))?.warning
    const picture = '<img src="a.png" alt="Cover"/>'
    expect(await read(picture, '<p>One</p>')).toBeUndefined()
    expect(await read('<p>One</p>', '<textarea>Two</p>')).toBe('No text was found in c1.xhtml.')
  })
})

const epubWith = (bodies: string | string[], head = '') => {
  const chapters = [bodies].flat()
  const each = (write: (chapter: number) => string) => chapters.map((_, index) => write(index)).join('')
  const items = each((chapter) => `<item id="c${chapter}" href="c${chapter}.xhtml"/>`)
  const spine = each((chapter) => `<itemref idref="c${chapter}"/>`)
  return zipOf({
    'META-INF/container.xml': '<container><rootfile full-path="b.opf"/></container>',
    'b.opf': `<package><manifest>${items}</manifest><spine>${spine}</spine></package>`,
    ...Object.fromEntries(chapters.map((body, index) => [`c${index}.xhtml`, `<html><head>${head}</head><body>${body}</body></html>`])),
  })
}

test('what a line in a PDF strikes out is left out of a price, and the rest stays one line', async () => {
  const drawing = '134 703 46 0.7 re f 60 697 70 0.7 re f 60 660 460 0.7 re f'
  const page: PlacedText[] = [
    [60, 700, 'A ticket costs'],
    [134, 700, '9 euros'],
    [180, 700, '7 euros, with a dog 8 euros.'],
    [60, 640, 'Children go free.'],
  ]
  expect(await quoted('.pdf', placedPdfOf([page], { drawing }))).toBe('A ticket costs 7 euros, with a dog 8 euros.\n\nChildren go free.')
})

test('hidden text of Markdown is left out', async () => {
  expect(await quoted('.md', 'Fee <span style="display:none">SECRET <b>SECRET</b></span> 3 {# SECRET #}\n\n<p hidden>SECRET</p>\n')).toBe(
    'Fee  3',
  )
})

describe("a page's own styles", () => {
  const page = (styles: string, body: string) =>
    quoted('.html', `<!doctype html><head><style>${styles}</style></head><main><h1>Prices</h1>${body}</main>`)
  const body = '<p>A ticket costs <span class="old">9 euros</span> 7 euros.</p><p class="note">Internal: ask Eva.</p>'

  test('hide and strike out text', async () => {
    const text = await page('/* .x{} */ p{margin:0} .old, .was { color: red; text-decoration: line-through } p.note{display:none}', body)
    expect(text).toContain('7 euros')
    expect(text).not.toMatch(/9 euros|Eva/)
  })

  test.each([
    ['another screen shows', '.note{display:none} @media (min-width:40em){.note{display:block}}'],
    ['a script shows by another class', '.note{display:none} .note.open{display:block}'],
    ['print alone hides', '@media print{.note{display:none}}'],
    ['a comment hides', '/* .note{display:none} */'],
    ['something inside of others hides', '.js .note{display:none}'],
  ])('keep text that %s', async (_, styles) => {
    expect(await page(styles, body)).toContain('Eva')
  })

  test('keep what a button opens', async () => {
    const accordion = '<button class="accordion">When?</button><div class="panel"><p>At eight.</p></div>'
    expect(await page('.panel{display:none;padding:0 18px}', accordion)).toContain('At eight.')
  })
})
