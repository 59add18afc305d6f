import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { MessageBuilder } from '../../contract/chat/message-builder.ts'
import { textOf } from '../../contract/chat/message-text.ts'
import { Agents } from '../answering/agents/agents.ts'
import { KnowledgeBase } from './knowledge-base.ts'
import { eventually } from '../../../test/support/eventually.ts'

const ROOT = join(import.meta.dirname, '../../..')
const PAGES = join(ROOT, 'test/web-pages')

/** Pages of all tests, each in a folder of its own: one process reads them all. */
const pages: string[] = []

function inMain(content: string): string {
  const html = `<html lang="en"><head><title>Elmfield</title></head><body><main><h1>Town services</h1>${content}</main></body></html>`
  pages.push(html)
  return html
}

let base: KnowledgeBase
beforeAll(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'web-pages-'))
  for (const [index, html] of pages.entries()) {
    await mkdir(join(directory, `${index}`))
    await writeFile(join(directory, `${index}`, 'page.html'), html)
  }
  base = await KnowledgeBase.open({ directory, dataDirectory: null, onWarning: () => {} })
  await base.ready
  return async () => {
    await base.close()
    await rm(directory, { recursive: true })
  }
})

/** The passages that a search in a page returns, best first. */
async function searched(html: string, query: string): Promise<{ heading: string; text: string }[]> {
  return (await base.search(query, { folders: [`${pages.indexOf(html)}`], caller: 'model' })).passages
}

/** The built-in assistant's answer from a page, once it has been read. */
async function answered(html: string, question: string): Promise<string> {
  const knowledgeDirectory = await mkdtemp(join(tmpdir(), 'web-pages-'))
  await writeFile(join(knowledgeDirectory, 'page.html'), html)
  const agents = await Agents.open({
    directory: join(ROOT, 'agents'),
    model: { kind: 'builtin' },
    knowledgeDirectory,
    installation: { name: 'Parley', retentionDays: 12, contact: 'help@example.org', storage: 'sqlite' },
  })
  onTestFinished(async () => {
    await agents.close()
    await rm(knowledgeDirectory, { recursive: true })
  })
  const messages = [{ id: 'p', role: 'user' as const, parts: [{ type: 'text' as const, text: question }] }]
  return eventually(async () => {
    const builder = new MessageBuilder('a')
    for await (const chunk of agents.first.run({ messages, signal: new AbortController().signal })) builder.apply(chunk)
    const message = builder.finished()
    expect(message.parts.some(({ type }) => type === 'source-document')).toBe(true)
    return textOf(message)
  })
}

const QUESTION = 'What does a lost card cost?'
const ANSWER = 'A lost card costs 4 euros.'

describe('a question that a visitor opens is a heading, and its answer is found', () => {
  test.each(
    [
      [
        'ARIA',
        `<h3><button aria-expanded="false" aria-controls="s1">${QUESTION}</button></h3><div id="s1" role="region" hidden><p>${ANSWER}</p></div>`,
      ],
      ['a button alone', `<button aria-expanded="false" aria-controls="s1">${QUESTION}</button><div id="s1" hidden>${ANSWER}</div>`],
      [
        'Bootstrap',
        `<div class="accordion-item"><h2><button class="accordion-button" data-bs-toggle="collapse" data-bs-target="#c">${QUESTION}</button></h2><div id="c" class="accordion-collapse collapse">${ANSWER}</div></div>`,
      ],
      [
        'Bootstrap 3',
        `<div class="panel"><div class="panel-heading"><h4><a data-toggle="collapse" href="#c">${QUESTION}</a></h4></div><div id="c" class="panel-collapse collapse">${ANSWER}</div></div>`,
      ],
      [
        'GOV.UK',
        `<div class="govuk-accordion__section"><h2><span class="govuk-accordion__section-button" id="h">${QUESTION}</span></h2><div aria-labelledby="h" hidden="until-found">${ANSWER}</div></div>`,
      ],
      [
        'Foundation',
        `<ul class="accordion" data-accordion><li class="accordion-item" data-accordion-item><a href="#" class="accordion-title" aria-expanded="false">${QUESTION}</a><div class="accordion-content" data-tab-content aria-hidden="true">${ANSWER}</div></li></ul>`,
      ],
      [
        'jQuery UI',
        `<h3 class="ui-accordion-header" role="tab" aria-controls="p" id="t">${QUESTION}</h3><div id="p" role="tabpanel" aria-labelledby="t" aria-hidden="true" style="display: none;">${ANSWER}</div>`,
      ],
      ['a script without attributes', `<h3 class="question">${QUESTION}</h3><div style="display:none">${ANSWER}</div>`],
      ['a named template', `<h3><button data-template="t1">${QUESTION}</button></h3><template id="t1"><p>${ANSWER}</p></template>`],
      ['details', `<details><summary>${QUESTION}</summary><p>${ANSWER}</p></details>`],
      [
        'Elementor',
        `<div class="elementor-accordion"><div class="elementor-tab-title" role="tab" id="t" aria-controls="p"><a href="">${QUESTION}</a></div><div id="p" role="tabpanel" aria-labelledby="t" style="display:none">${ANSWER}</div></div>`,
      ],
      [
        'jQuery UI as it runs',
        `<div class="ui-accordion" role="tablist"><h3 role="tab" aria-controls="p" id="t"><span class="ui-icon"></span>${QUESTION}</h3><div id="p" role="tabpanel" aria-labelledby="t" aria-hidden="true">${ANSWER}</div></div>`,
      ],
      ['names alone', `<div class="faq-item"><div class="faq-question">${QUESTION}</div><div class="faq-answer">${ANSWER}</div></div>`],
      ['a box to tick', `<input type="checkbox" id="b"><label for="b">${QUESTION}</label><div>${ANSWER}</div>`],
      ['details with a heading', `<details><summary><h3>${QUESTION}</h3></summary><p>${ANSWER}</p></details>`],
      [
        'slots',
        `<town-accordion><span slot="header"><h3>${QUESTION}</h3></span><div slot="content" hidden>${ANSWER}</div></town-accordion>`,
      ],
      ['an attribute of a custom element', `<town-details heading="${QUESTION}"><p>${ANSWER}</p></town-details>`],
      [
        'tabs',
        `<ul role="tablist"><li><button role="tab" id="t" aria-controls="p">${QUESTION}</button></li></ul><div id="p" role="tabpanel" aria-labelledby="t" hidden>${ANSWER}</div>`,
      ],
      [
        'an inline script',
        `<p onclick="show('a1')" role="heading" aria-level="3">${QUESTION}</p><div id="a1" style="display:none">${ANSWER}</div>`,
      ],
      ['declared shadow DOM', `<h3>${QUESTION}</h3><town-card><template shadowrootmode="open"><p>${ANSWER}</p></template></town-card>`],
    ].map(([name, html]) => [name, inMain(`<p>Read more below.</p>${html}`)] as const),
  )('with %s', async (_, page) => {
    expect(await searched(page, QUESTION)).toMatchObject([{ heading: QUESTION, text: ANSWER }])
  })

  test('and the built-in assistant answers with it alone', async () => {
    const item = (number: number, question: string, answer: string) =>
      `<h3><button aria-expanded="false" aria-controls="s${number}">${question}</button></h3><div id="s${number}" hidden><p>${answer}</p></div>`
    const page = inMain(item(1, QUESTION, ANSWER) + item(2, 'May I bring my dog?', 'Only guide dogs may come in.'))
    const answer = await answered(page, QUESTION)
    expect(answer).toContain(ANSWER)
    expect(answer).not.toContain('dogs')
  })

  const followed = inMain(`<h2>Fees</h2><details><summary>${QUESTION}</summary>${ANSWER}</details><p>Fees are paid by card.</p>`)
  test('and what follows it stands under the heading before', async () => {
    expect((await searched(followed, 'paid by card'))[0]).toMatchObject({ heading: 'Fees', text: 'Fees are paid by card.' })
  })
})

const hidden = inMain(
  '<p>The price is 7 euros.</p><p style="display:none">Old price: 11 euros</p><template><p>Price: {{price}} euros</p></template><div hidden>Price: 12 euros</div><p>It holds for a year.</p>',
)
test('hidden parts that nothing opens are not read', async () => {
  expect((await searched(hidden, 'price'))[0]?.text).toBe('The price is 7 euros.\n\nIt holds for a year.')
})

describe('tables', () => {
  const FERRY =
    '<table><caption>Ferry prices</caption><thead><tr><th></th><th>Single</th><th>Return</th></tr></thead><tbody><tr><th>Child</th><td></td><td>3 €</td></tr><tr><th rowspan="2">Bicycle</th><td>2 €</td><td><h4>4 €</h4></td></tr><tr><td colspan="2">5 € with a trailer</td></tr></tbody></table>'

  const ferry = inMain(FERRY)
  test('are read as rows with their headers', async () => {
    const [passage] = await searched(ferry, 'ferry prices child')
    expect(passage?.text).toBe(
      'Ferry prices\n\n- Child; Single: –; Return: 3 €\n- Bicycle; Single: 2 €; Return: 4 €\n- Bicycle; Single: 5 € with a trailer; Return: 5 € with a trailer',
    )
    expect(await answered(ferry, 'What does a return ferry cost for a child?')).toContain('Child; Single: –; Return: 3 €')
  })

  const rows = Array.from({ length: 120 }, (_, row) => `<tr><td>Zone ${row}</td><td>${row} €</td></tr>`)
  const long = inMain(`<table><tr><th>Zone</th><th>Single</th></tr>${rows.join('')}</table>`)
  test('carry their headers into each passage', async () => {
    expect((await searched(long, 'zone 117'))[0]?.text).toContain('- Zone: Zone 117; Single: 117 €')
  })

  const sauna = (cell: string) => inMain(`<table><tr><th>Bath</th><th>Sauna</th></tr><tr><td>North</td><td>${cell}</td></tr></table>`)
  test.each(
    [
      ['<img src="tick.svg" alt="">', 'yes'],
      ['<img src="a.png" alt="on request">', 'on request'],
      ['<i class="fa fa-check"></i>', 'yes'],
      ['<svg aria-label="not on Sundays"><path d="M0 0"/></svg>', 'not on Sundays'],
      ['✓', 'yes'],
      ['✗', 'no'],
    ].map(([cell = '', said]) => [cell, said, sauna(cell)] as const),
  )('say what the cell %s shows', async (_, said, page) => {
    expect((await searched(page, 'sauna north'))[0]?.text).toBe(`- Bath: North; Sauna: ${said}`)
  })

  test.each(
    [
      [
        'a header column names its values',
        '<tr><th>Phone:</th><td>555-0100</td></tr><tr><th>Fax</th><td></td></tr>',
        '- Phone: 555-0100\n- Fax: –',
      ],
      [
        'bold cells of the first row are headers',
        '<tr><td><b>Day</b></td><td><b>Hours</b></td></tr><tr><td>Monday</td><td>8–12</td></tr>',
        '- Day: Monday; Hours: 8–12',
      ],
      ['one column is text', '<tr><td>Monday is quiet.</td></tr><tr><td>Sunday is full.</td></tr>', 'Monday is quiet.\n\nSunday is full.'],
    ].map(([rule, cells, text]) => [rule, text, inMain(`<table>${cells}</table>`)] as const),
  )('%s', async (_, text, page) => {
    expect((await searched(page, 'phone monday'))[0]?.text).toBe(text)
  })
})

test.each(
  [
    [
      'struck prices are left out',
      '<p>A ticket costs <del>9 euros</del> <ins>7 euros</ins>, <s>or 8 online</s> <span class="line-through">(12)</span> today.</p>',
      'A ticket costs 7 euros, today.',
    ],
    [
      'exponents stay readable',
      '<p>The hall holds 10<sup>3</sup> people<sup>1</sup> on 80 m<sup>2</sup>.</p>',
      'The hall holds 10³ people ¹ on 80 m².',
    ],
    ['links to notes are left out', '<p>It opened in 1907<sup><a href="#note-1">[1]</a></sup>.</p>', 'It opened in 1907.'],
    [
      'lists keep their numbers',
      '<ol start="4"><li>Fill in form A.</li><li>Send it.<ol type="a"><li>by post or</li><li>by e-mail</li></ol></li></ol>',
      '4. Fill in form A.\n5. Send it.\n- a) by post or\n- b) by e-mail',
    ],
    [
      'options of a list are read',
      '<label for="z">Zone</label><select id="z"><option value="">Choose</option><option>A: 2 euros</option><option>B: 3 euros</option></select>',
      'Zone\n\n- A: 2 euros\n- B: 3 euros',
    ],
    [
      'pictures say what they say',
      '<p>Call us. <img src="x.png" alt="Hotline 555-0100 on weekdays"> <img src="l.png" alt="Logo"></p>',
      'Call us. Hotline 555-0100 on weekdays',
    ],
    [
      'abbreviations are explained',
      '<p><abbr title="Federal Office of Water">FOW</abbr> answers calls.</p>',
      'FOW (Federal Office of Water) answers calls.',
    ],
    [
      'links keep where they lead',
      '<p>You can <a href="https://elm.example/apply">apply here</a> until Friday. Ask <a href="mailto:info@elm.example">the office</a>.</p>',
      'You can apply here until Friday (https://elm.example/apply). Ask the office (info@elm.example).',
    ],
    [
      'an address is not said twice',
      '<p>Call <a href="tel:+495550100">+49 555 0100</a> or write to <a href="mailto:a@elm.example">a@elm.example</a>.</p>',
      'Call +49 555 0100 or write to a@elm.example.',
    ],
  ].map(([rule, html = '', text]) => [rule, text, inMain(html)] as const),
)('%s', async (_, text, page) => {
  expect((await searched(page, 'ticket people opened form zone call office answers weekdays'))[0]?.text).toBe(text)
})

const hyphenated = inMain(
  '<h2>Grund&shy;buch&shy;amt</h2><p>Das Grund&shy;buch&shy;amt ist in Zim&shy;mer 44, Telefon 555&#8209;0177, zero&#8203;width.</p>',
)
test('words are found without their soft hyphens', async () => {
  expect(await searched(hyphenated, 'Grundbuchamt Zimmer')).toMatchObject([
    { heading: 'Grundbuchamt', text: 'Das Grundbuchamt ist in Zimmer 44, Telefon 555-0177, zerowidth.' },
  ])
})

const LONG = 'The town explains in plain words what its offices do, when they are open, and whom to call with questions. '.repeat(12)
const boxed = (name: string) =>
  inMain(`<p>${LONG}</p><section class="${name}"><h2>Heating</h2><p>The office pays 120 euros a month.</p></section>`)
test.each(
  [
    'search',
    'social-services',
    'top',
    'header',
    'related',
    'share',
    'cookies',
    'breadcrumbs',
    'footer',
    'sidebar',
    'comments',
    'menu',
    'ad',
  ].map((name) => [name, boxed(name)] as const),
)('a box named %s inside the content is read', async (_, page) => {
  expect((await searched(page, 'heating euros')).map((passage) => passage.text).join('\n')).toContain('The office pays 120 euros a month.')
})

describe('a page as content management systems write it', () => {
  /** Known not to be told apart from posts. */
  const KEPT: Readonly<Record<string, string[]>> = { forum: ['Mark topics read', 'Users browsing this forum', 'Jump to'] }

  test.each(readdirSync(PAGES))('%s is without what stands around its text', async (file) => {
    const html = readFileSync(join(PAGES, file), 'utf8')
    const listed = (name: string) => new RegExp(`<!-- ${name}: (.*?) -->`).exec(html)?.[1]?.split(' | ') ?? []
    const { formatOf } = await import('./ingestion/extract/extract.ts')
    const document = await formatOf(file)?.read(Buffer.from(html))
    const text = JSON.stringify([document?.title, document?.sections])
    expect(listed('wanted').filter((snippet) => !text.includes(snippet))).toEqual([])
    expect(listed('unwanted').filter((snippet) => text.includes(snippet))).toEqual(KEPT[file.replace('.html', '')] ?? [])
  })
})
