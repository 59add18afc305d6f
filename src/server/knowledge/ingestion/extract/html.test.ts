import { describe, expect, test } from 'vitest'
import { textOf } from '../document.ts'
import { readHtml } from './html.ts'

const contentOf = (html: string) =>
  readHtml(html)
    .sections.map(({ heading, blocks }) => [heading, textOf(blocks)].filter((text) => text !== '').join('\n'))
    .filter((text) => text !== '')
    .join('\n')

const PROSE =
  'This manual tells in some detail how the machine is installed, cleaned and repaired, part by part, and what to do when it leaks.'

describe('main content', () => {
  test('has the paragraphs before and after its longest part', () => {
    const before = '<h1>Machine</h1><p>It comes in two sizes, of which the small one is sold.</p>'
    const list = `<ol>${`<li>${PROSE}</li>`.repeat(9)}</ol>`
    const after = '<p>The others have been sold since the first of March.</p>'
    const left = '<div class="nav"><a href="/a">Menu</a></div>'
    for (const part of [list + after, `<div>${list}</div>${after}`, `<div><h2>Parts</h2>${list}${after}</div>`]) {
      const content = contentOf(`<body>${left}<div><div>${before}${part}</div></div>${left}</body>`)
      expect(content).toContain('of which the small one is sold')
      expect(content).toContain('since the first of March')
      expect(content).not.toContain('Menu')
    }
  })

  test('has the headed sections before its longest part', () => {
    const name = '<div class="name"><h2>pump</h2><p>pump \u2014 checks the water pump for corrosion</p></div>'
    const synopsis = '<div class="synopsis"><h2>Synopsis</h2><p><code>pump</code> [<em>option</em>...]</p></div>'
    const options = `<div class="section"><h2>Options</h2><ul>${`<li>${PROSE}</li>`.repeat(9)}</ul></div>`
    const content = contentOf(`<body><div class="page">${name}${synopsis}${options}</div></body>`)
    expect(content).toContain('checks the water pump for corrosion')
    expect(content).toContain('Synopsis')
  })

  test.each<[string, string]>([
    ['navigation', '<nav><ul><li><a href="/a">Menu</a></ul></nav>'],
    ['breadcrumbs', '<div class="breadcrumbs"><a href="/">Menu</a> &gt; Here</div>'],
    [
      'steps to other pages',
      '<div class="x"><a rel="prev" href="a.html">Menu: previous topic</a> | <a rel="next" href="b.html">Next</a></div>',
    ],
    ['a table of contents', '<ul><li><a href="#a">Menu</a><li><a href="#b">Beta</a><li><a href="#c">Gamma</a></ul>'],
    ['a sidebar of links', '<div class="sphinxsidebar"><ul><li><a href="/a">Menu</a><li><a href="/b">B</a></ul></div>'],
    ['a search form', '<form role="search"><input value="Menu"><button>Menu</button></form>'],
    ['a short part named as a frame', '<div class="site-footer">Menu</div>'],
    ['a long part of links named as one', `<div class="related">${'<a href="/a">Menu and more of it</a> '.repeat(20)}</div>`],
    ['scripts and styles', '<script>Menu</script><style>Menu</style>'],
  ])('is without %s', (_, frame) => {
    const content = contentOf(`<body>${frame}<div id="x"><h1>Manual</h1><p>${PROSE}</p></div>${frame}</body>`)
    expect(content).toBe(`Manual\n${PROSE}`)
  })

  describe('of an article', () => {
    const ARTICLE = '<head><meta property="article:published_time" content="2026-01-01"></head>'
    const TEXT = '<head><meta property="og:type" content="article"></head>'
    const paragraphs = (count: number) => Array.from({ length: count }, (_, index) => `<p>${index}. ${PROSE}</p>`).join('')

    test('has its lead, and not what stands between lead and text', () => {
      const lead = '<p>All you have to know before you buy your first machine, told by somebody who has cleaned hundreds of them.</p>'
      const text = `<div class="articletext">${paragraphs(9)}</div>`
      const inBlock = lead.replaceAll('p>', 'div>')
      expect(contentOf(`${ARTICLE}<article><header>${inBlock}</header>${text}</article>`)).toContain('before you buy')
      for (const head of [ARTICLE, TEXT]) {
        const content = contentOf(
          `${head}<article><div class="articletext">${lead}</div><div>Byline</div>${text}<div>${PROSE} Read also.</div></article>`,
        )
        expect(content).toContain('before you buy your first machine')
        expect(content).toContain(`8. ${PROSE}`)
        expect(content).not.toMatch(/Byline|Read also/)
      }
    })

    test('is the article, however long the teasers beside it are', () => {
      const teasers = Array.from(
        { length: 40 },
        (_, index) => `<li><h5><a href="/${index}">Another</a></h5><div>Teaser. ${PROSE}</div></li>`,
      )
      for (const head of [ARTICLE, TEXT])
        expect(contentOf(`${head}<main>${paragraphs(9)}</main><div><ul>${teasers.join('')}</ul></div>`)).not.toContain('Teaser')
    })

    test('is without pictures’ captions, repeated paragraphs and invitations to a newsletter', () => {
      const form = '<div><h3>Never miss a machine</h3><p>Get the news.</p><form><input type="email"><button>Go</button></form></div>'
      const picture = '<figure><img src="a.jpg"><figcaption>Photo: someone</figcaption></figure>'
      const table = '<figure><table><tr><th>Part</th><th>Price</th></tr><tr><td>Lid</td><td>3 €</td></tr></table></figure>'
      const content = contentOf(`${ARTICLE}<article>${paragraphs(9)}${picture}${table}<p>0. ${PROSE}</p>${form}</article>`)
      expect(content.split(`0. ${PROSE}`)).toHaveLength(2)
      expect(content).toContain('Part: Lid; Price: 3 €')
      expect(content).not.toMatch(/Photo|newsletter|Never miss/)
    })

    test('is without boxes that lead to other texts, as is that of another page of paragraphs, which keeps calls to act', () => {
      const boxes = ['div', 'section', 'a-teaser'].map(
        (name) => `<${name}><b>Read also</b> <a href="/b">Another machine that was built in the same town</a></${name}>`,
      )
      const file = '<div><a href="/form.pdf">Form for your machine, as a file of two pages</a></div>'
      const call = '<div><a class="btn" href="/apply">Apply online</a></div>'
      for (const head of [ARTICLE, '']) {
        const content = contentOf(`${head}<main>${paragraphs(5)}${boxes.join('')}${file}${call}<p>Last. ${PROSE}</p></main>`)
        expect(content).not.toMatch(/Another machine|Read also/)
        expect(content).toContain('Form for your machine')
        expect(content.includes('Apply online')).toBe(head === '')
      }
    })

    test('has the questions that open their answers, and addresses of other sites', () => {
      const questions = ['#a', 'javascript:void(0)'].map(
        (href) => `<div class="q"><a href="${href}">How long is it under ${href}?</a></div>`,
      )
      const site = '<div>Website: <a href="https://www.machines.example">www.machines.example</a></div>'
      for (const head of [ARTICLE, '']) {
        const content = contentOf(`${head}<main>${questions.join(paragraphs(3))}${paragraphs(9)}</main>`)
        expect(content).toMatch(/How long is it under #a\?[^]*How long is it under javascript/)
      }
      expect(contentOf(`<main>${paragraphs(9)}${site}</main>`)).toContain('www.machines.example')
    })

    test('is without the labels around it, of which a date is kept on another page', () => {
      const labels = '<p>By Anna Berg</p><p>14 August 2026</p>'
      const page = (head: string) =>
        contentOf(`${head}<main>${labels}${paragraphs(9)}<h2>Price</h2><p>Free for all</p><p>Back to top</p></main>`)
      expect(page(ARTICLE)).toMatch(/^0\. [^]*\nPrice\nFree for all$/)
      expect(page('')).toMatch(/^14 August 2026\n\n0\. [^]*Free for all$/)
    })

    test('has headings and sections whose ids are made of their texts', () => {
      const section = `<section id="share-a-machine"><h3>Share a machine</h3><p>Ask <a href="/a">us</a> first.</p></section>`
      const content = contentOf(`${ARTICLE}<article>${paragraphs(9)}<h3 id="nav_price__0">Price</h3><p>It is free.</p>${section}</article>`)
      expect(content).toMatch(/Price\nIt is free\.[^]*Share a machine\nAsk us first\./)
    })

    test('keeps captions, repeated paragraphs and opening hours of another page', () => {
      const hours = '<div><p>Open from 8 to 12.</p><form><input type="email"><button>Send</button></form></div>'
      const zones = `<p>Zone A</p><p>${PROSE}</p><p>Zone B</p><p>${PROSE}</p>`
      const content = contentOf(
        `${TEXT}<main>${zones}<figure><img src="a.jpg"><figcaption>Sign of a zone</figcaption></figure>${hours}</main>`,
      )
      expect(content.split(PROSE)).toHaveLength(3)
      expect(content).toContain('Sign of a zone')
      expect(content).toContain('Open from 8 to 12.')
    })
  })

  test('is all of a short page, also beside a field for an e-mail address', () => {
    const form = '<form><input type="email"><button>Go</button></form>'
    for (const head of ['', '<head><meta property="og:type" content="article"></head>'])
      expect(contentOf(`${head}<body><div id="page"><h1>Pool</h1><p>It is closed for repairs.</p>${form}</div></body>`)).toContain('closed')
  })

  test('is what a page without scripts shows, if scripts draw the rest', () => {
    const posts = `<div class="post"><p>Is the lid blue?</p></div><div class="post"><p>${PROSE.repeat(6)}</p></div>`
    const facts = '<meta property="og:type" content="website"><meta property="article:published_time" content="2026-01-01">'
    const content = contentOf(`<head>${facts}</head><body><div id="app"></div><noscript><main>${posts}</main></noscript></body>`)
    expect(content).toContain('Is the lid blue?')
    expect(contentOf('<body><div id="app"></div><noscript>Switch JavaScript on to see this page.</noscript></body>')).toBe('')
    const drawn = `<main>${`<p>${PROSE}</p>`.repeat(20)}</main><noscript><p>${PROSE.repeat(6)} Twice.</p></noscript>`
    expect(contentOf(`<body>${drawn}</body>`)).not.toContain('Twice')
  })

  test('is all of a discussion: the question and its answers', () => {
    const post = (text: string) => `<div class="item"><div class="post-body"><p>${text}</p></div><a href="/x">Reply</a></div>`
    const content = contentOf(
      `<div id="all">${post('Is the lid blue? I have looked everywhere, and in the manual too, to no avail.')}${post(PROSE.repeat(9))}</div>`,
    )
    expect(content).toContain('Is the lid blue?')
    expect(content).toContain(PROSE)
  })

  test.each([
    ['comments', `<div id="comments"><form>${`<div class="comment"><p>${PROSE}</p></div>`.repeat(9)}</form></div>`],
    [
      'teasers',
      Array.from({ length: 9 }, (_, index) => `<div class="teaser"><a href="/${index}">Machine</a><p>${PROSE}</p></div>`).join(''),
    ],
    ['what a script shows', `<div style="visibility:hidden"><p>${PROSE.repeat(9)}</p></div>`],
  ])('is %s, if a page has nothing else', (_, part) => {
    expect(contentOf(`<body><nav>Menu</nav><main><h1>Machines</h1>${part}</main></body>`)).toContain(PROSE)
    expect(contentOf(`<body><main><h1>Machines</h1>${`<p>Text. ${PROSE}</p>`.repeat(40)}</main>${part}</body>`)).not.toContain(`\n${PROSE}`)
  })

  test('is told by names, not by rules of Tailwind or tags of WordPress', () => {
    const part = (name: string) =>
      `<body><main><div class="${name}"><p>${PROSE}</p><a href="/a">A</a><a href="/b">B</a></div></main></body>`
    for (const name of ['lg:pt-[calc(var(--banner-height))]', 'hentry tag-newsletter author-comments'])
      expect(contentOf(part(name))).toContain(PROSE)
  })

  test('goes on after what is invisible', () => {
    expect(contentOf(`<template><nav><p>Menu</p></template><p>${PROSE}</p>`)).toBe(PROSE)
  })

  test('has headings without their permalink marks', () => {
    expect(contentOf('<h2>Lids<a class="headerlink" href="#lids">¶</a></h2><p>They are blue.</p>')).toBe('Lids\nThey are blue.')
  })

  test.each<[string, string]>([
    ['under a name that navigation has', `<div class="menu" id="navigation"><p>${PROSE.repeat(5)}</p></div>`],
    ['outside the main element', `<main><p>Short.</p></main><div><p>${PROSE.repeat(5)}</p></div>`],
    ['in a table that arranges the page', `<table><tr><td><h2>Lids</h2><p>${PROSE.repeat(5)}</p></td></tr></table>`],
    ['in a list of definitions', `<dl><dt><a href="#x">lid</a></dt><dd>${PROSE.repeat(5)}</dd></dl>`],
  ])('is kept %s', (_, html) => {
    expect(contentOf(`<body><nav><a href="/">Menu</a></nav>${html}</body>`)).toContain(PROSE.repeat(5))
  })

  test('keeps a list of links to other pages', () => {
    const links = ['Alpha', 'Beta', 'Gamma'].map((name) => `<li><a href="https://example.org/${name}">${name}</a>`)
    expect(contentOf(`<p>${PROSE}</p><ul>${links.join('')}</ul>`)).toBe(`${PROSE}\n\n- Alpha\n- Beta\n- Gamma`)
  })

  test('is the main element, or an article that has nearly all of it', () => {
    const side = '<div>Something else is said here.</div>'
    expect(contentOf(`${side}<div role="main"><p>${PROSE}</p></div>${side}`)).toBe(PROSE)
    expect(contentOf(`${side}<section><div id="content"><p>${PROSE.repeat(5)}</p></div></section>${side}`)).toBe(PROSE.repeat(5))
    expect(contentOf(`${side}<article>Short.</article>${side}`)).toContain('Something else')
  })

  test('is found by how much it says in scripts of few characters', () => {
    const lines = '<p>新しい機械の据え付けと清掃と修理の手順を部品ごとに説明します</p>'.repeat(9)
    const comments = `<div class="comments"><p>${PROSE}</p><p>${PROSE}</p><a href="/c">Reply</a></div>`
    const content = contentOf(`<body><div class="post">${lines}</div>${comments}</body>`)
    expect(content).toContain('部品ごとに説明')
    expect(content).not.toContain('This manual')
  })

  test.each(['価格は五百円です。', 'यह मशीन छोटी है।', 'ราคาห้าร้อยบาท', 'هل تسرب؟', 'Սա փոքր է։'])(
    'keeps the short first sentence %s of an article',
    (first) => {
      const head = '<head><meta property="article:published_time" content="2026-01-01"></head>'
      expect(contentOf(`${head}<article><p>${first}</p>${`<p>${PROSE}</p>`.repeat(2)}<p>${PROSE.repeat(2)}</p></article>`)).toContain(first)
    },
  )

  test.each([
    ['that is printed', `<div id="content_print">${`<p>${PROSE} <a href="/a">More</a></p>`.repeat(2)}</div>`],
    ['below a heading', `<dl class="h2-related"><dt><a href="/a">One</a></dt><dd>${PROSE}</dd><dt><a href="/b">Two</a></dt></dl>`],
    ['behind a paywall', `<p class="paywall">${PROSE.repeat(2)} <a href="/a">More</a></p>`],
  ])('keeps a part whose name says that it is one %s', (_, part) => {
    const head = '<head><meta property="article:published_time" content="2026-01-01"></head>'
    for (const page of ['', head])
      expect(contentOf(`${page}<article><p>${PROSE.repeat(6)}</p>${part}</article>`).split(PROSE).length).toBeGreaterThan(7)
  })

  test('has formulas as their authors wrote them, once', () => {
    const tex = '<annotation encoding="application/x-tex">\\frac{1}{2}</annotation>'
    const half = '<mfrac><mn>1</mn><mn>2</mn></mfrac>'
    const math = `<math><semantics><mrow>${half}</mrow>${tex}</semantics></math>`
    for (const formula of [
      math,
      `<math>${half}</math>`,
      `<span class="katex"><span class="katex-mathml">${math}</span><span class="katex-html" aria-hidden="true">12</span></span>`,
      `<span style="display:none">${math}</span><img class="mwe-math-fallback-image-inline" alt="{\\displaystyle \\frac{1}{2}}">`,
      '<img class="latex" alt="\\frac{1}{2}">',
    ])
      expect(contentOf(`<p>It is ${formula} of it.</p>`)).toBe('It is \\(\\frac{1}{2}\\) of it.')
  })

  test('has code without the numbers of its lines', () => {
    for (const code of [
      '<pre class="lineno">1\n2\n</pre><pre>a = 1\nb = 2</pre>',
      '<pre><span class="line-number">1</span>a = 1\n<span class="line-number">2</span>b = 2</pre>',
      '<pre><div><span style="user-select: none">1</span>a = 1</div><div><span style="user-select: none">2</span>b = 2</div></pre>',
      '<pre><code><span class="gutter">12</span></code></pre><pre>a = 1\nb = 2</pre>',
    ])
      expect(contentOf(code)).toBe('```\na = 1\nb = 2\n```')
  })

  test.each([
    ['<p>It has <span style="user-select: none">42</span> seats</p>', 'It has 42 seats'],
    ['<pre>wait <span style="user-select: none">5</span> s</pre>', '```\nwait 5 s\n```'],
    ['<pre class="line-numbers"><code>8080</code></pre>', '```\n8080\n```'],
    ['<div class="post katex"><p>Energy is mass.</p></div>', 'Energy is mass.'],
    ['<p><img class="icon-math" alt="Students at a table"></p>', 'Students at a table'],
    ['<p><math><mn>50</mn><mo>%</mo></math></p>', '\\(50\\%\\)'],
  ])('keeps what only shares a name with numbers of lines and formulas: %s', (html, text) => {
    expect(contentOf(html)).toBe(text)
  })

  test('leaves out the address of a picture that shows it larger', () => {
    const picture = '<a href="https://example.org/large.jpg"><img alt="Both valves are open on the left"></a>'
    expect(contentOf(`<p>Two valves. ${picture}</p>`)).toBe('Two valves. Both valves are open on the left')
    expect(contentOf('<p>See the <a href="https://example.org/plan.png">plan of the site</a>.</p>')).toContain(
      'https://example.org/plan.png',
    )
  })

  test('has line breaks and inline elements of code, and a heading in a cell as its text', () => {
    expect(contentOf('<pre>one<br>two <b>three</b></pre>')).toBe('```\none\ntwo three\n```')
    expect(contentOf('<table><tr><th>Name</th><th>Colour</th></tr><tr><td><h2>Lids</h2>Blue.</td></tr></table>')).toBe(
      '- Name: Lids Blue.; Colour: –',
    )
  })

  test('has a note in the frame of a table as its own blocks, and a cell beyond the headers once', () => {
    const icon = '<td rowspan="2"><img src="tip.png" alt="[Tip]"></td>'
    const note = '<td colspan="2"><ol><li>Open it.</li><li>Close it.</li></ol></td>'
    expect(contentOf(`<table><tr>${icon}<th>Tip</th></tr><tr>${note}</tr></table>`)).toBe('Tip\n\n1. Open it.\n2. Close it.')
    const beyond = '<table><tr><th>Size</th><th>Price</th></tr><tr><td>Small</td><td colspan="2">3 €</td></tr></table>'
    expect(contentOf(beyond)).toBe('- Size: Small; Price: 3 €')
    const pictures = '<table><tr><td>Wheelchair</td><td><img alt="yes"></td></tr><tr><td>Dogs</td><td><img alt="no"></td></tr></table>'
    expect(contentOf(pictures)).toBe('- Wheelchair: yes\n- Dogs: no')
  })

  test.each([
    ['a part of a drawing', '<svg><use href="#icon-x"></use></svg>', '<svg><path d="M0"/><use xlink:href="#icon-check"/></svg>'],
    ['its title', '<svg><title>No</title><path/></svg>', '<svg><g><title>Yes</title></g></svg>'],
    ['the name of a letter of a font', '<i class="material-icons">close</i>', '<span class="material-symbols-outlined">check</span>'],
    ['one of an unmarked box', '<i class="material-icons">check_box_outline_blank</i>', '<i class="material-icons">check_box</i>'],
  ])('tells the meaning of an icon in a cell by %s', (_, no, yes) => {
    const cells = `<tr><td>Rent</td><td>${no}</td><td>${yes}</td></tr><tr><td>Sell</td><td>${yes}</td><td>${no}</td></tr>`
    expect(contentOf(`<table><tr><th>Plan</th><th>Basic</th><th>Pro</th></tr>${cells}</table>`)).toMatch(
      /^- Plan: Rent; Basic: no; Pro: yes\n- Plan: Sell; Basic: yes; Pro: no$/i,
    )
  })

  const options = (header: string, ...cells: [string, string]) =>
    `<table>${header}<tr><td>timeout</td><td>30</td><td>${cells[0]}</td></tr><tr><td>retries</td><td>3</td><td>${cells[1]}</td></tr></table>`
  const inner = (text: string) => `<table><tr><td>${text}</td></tr></table>`

  test.each([
    ['th', '<tr><th>Option</th><th>Default</th><th>Example</th></tr>'],
    ['thead', '<thead><tr><td>Option</td><td>Default</td><td>Example</td></tr></thead>'],
    ['its regular rows', '<tr><td>Option</td><td>Default</td><td>Example</td></tr>'],
  ])('has data of a table that has code, another table or a heading in a cell, by %s', (_, header) => {
    for (const cells of [
      ['<pre>timeout = 60</pre>', 'retries = 5'],
      [inner('timeout = 60'), inner('retries = 5')],
      ['<h4>timeout = 60</h4>', 'retries = 5'],
    ] as [string, string][])
      expect(contentOf(options(header, ...cells))).toBe(
        '- Option: timeout; Default: 30; Example: timeout = 60\n- Option: retries; Default: 3; Example: retries = 5',
      )
  })

  test.each([
    ['code with its numbers', '<table><tr><td><pre>1\n2</pre></td><td><pre>one()\ntwo()</pre></td></tr></table>', 'one()\ntwo()'],
    [
      'pictures beside headed texts',
      `<table>${'<tr><td><img src="a.png"></td><td><h3>Lid</h3>Blue.</td></tr>'.repeat(3)}</table>`,
      'Lid\nBlue.',
    ],
    [
      'headed texts beside each other',
      `<table>${'<tr><td><h3>Pot</h3>Red.</td><td><h3>Lid</h3>Blue.</td></tr>'.repeat(3)}</table>`,
      'Pot\nRed.\nLid\nBlue.',
    ],
    [
      'a table with much in it',
      `<table><tr><td>Menu</td><td><table><tr><th>Zone</th><th>Fee</th></tr>${'<tr><td>A</td><td>3</td></tr>'.repeat(3)}</table></td></tr></table>`,
      '- Zone: A; Fee: 3',
    ],
  ])('has the parts of a table of layout on their own: %s', (_, html, text) => {
    expect(contentOf(html)).toContain(text)
  })

  test('keeps code lines, lists and tables', () => {
    const html =
      '<pre>one\n  two</pre><ul><li>first<li>second</ul><table><caption>Prices</caption><thead><tr><th>a<th> b </thead><tr><td>1<td>2</table><dl><dt>term<dd>meaning</dl>'
    expect(contentOf(html)).toBe('```\none\n  two\n```\n\n- first\n- second\n\nPrices\n\n- a: 1; b: 2\n\nterm\nmeaning')
  })
})

describe('metadata', () => {
  const page = (head: string) => readHtml(`<head><title> A  manual </title>${head}</head><p>Text.</p>`)

  test('title, canonical address and date are extracted', () => {
    expect(
      page('<link rel="canonical" href="https://example.org/a"><meta property="article:modified_time" content="2025-03-04T05:06:07Z">'),
    ).toMatchObject({ title: 'A manual', address: 'https://example.org/a', asOf: '2025-03-04' })
    expect(page('<meta property="og:url" content="https://example.org/b"><meta name="date" content="2024-01-02">')).toMatchObject({
      address: 'https://example.org/b',
      asOf: '2024-01-02',
    })
  })

  test('the date of the last change comes before others, and a date without a year is none', () => {
    const modified = '<meta property="article:modified_time" content="2025-03-04">'
    expect(page(`<meta name="date" content="2024-01-02">${modified}`).asOf).toBe('2025-03-04')
    expect(
      page('<script type="application/ld+json">{"dateModified": "2023-05-06"}</script><meta name="date" content="2024-01-02">').asOf,
    ).toBe('2023-05-06')
    expect(page('<meta name="date" content="May 5"><meta name="viewed" content="2020-01-01">').asOf).toBeNull()
    expect(page('<link itemprop="date" content="2020-01-01">').asOf).toBeNull()
  })

  test.each(['javascript:alert(1)', '/a', 'https://user:secret@example.org/', `https://example.org/${'a'.repeat(3_000)}`])(
    'the address %s is ignored',
    (address) => {
      expect(page(`<link rel="canonical" href="${address}"><meta name="date" content="soon">`)).toMatchObject({ address: null, asOf: null })
    },
  )
})
