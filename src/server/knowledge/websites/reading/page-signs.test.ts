import { expect, test } from 'vitest'
import { SourceScope } from '../page-address.ts'
import { signsOf } from './page-signs.ts'

const scope = new SourceScope({ website: ['https://example.org/'], include: [], exclude: [] })
const signs = (html: string) => signsOf(html, 'https://example.org/a', { scope, crawl: true })
const FORM =
  '<form><label>Name <input name="user"></label><input type="password"><button>Sign in</button><a href="/lost">Forgotten?</a></form>'
const SHORT = '<h1>Line 512</h1><p>Every 10 minutes.</p>'

test.each([
  ['a form alone', `<body>${FORM}`],
  [
    'a form under a heading in main',
    `<header>City</header><main><h1>Sign in</h1><p>Please sign in to go on.</p>${FORM}</main><footer>Imprint</footer>`,
  ],
  ['a form in a card', `<body><nav>Home</nav><div class="card"><h2>Portal</h2><p>For staff.</p>${FORM}</div>`],
])('%s is a page to sign in', (_, html) => {
  expect(signs(html)).toMatchObject({ isLogin: true, isEmptyShell: false })
})

test.each([
  ['in the header', `<header>${FORM}</header><main>${SHORT}</main>`],
  ['in a box above', `<div class="top">${FORM}</div>${SHORT}`],
  ['in a box beside', `<main>${SHORT}<div>${FORM}</div></main>`],
  ['in a dialog', `<dialog>${FORM}</dialog><div>${SHORT}</div>`],
  ['in one form around all', `<form><div>User <input type="password"></div>${SHORT}</form>`],
  ['outside of main', `<div>${FORM}</div><main>${SHORT}</main>`],
])('a short page with a form to sign in %s is a page', (_, html) => {
  expect(signs(`<title>404 Error: road maintenance</title>${html}`)).toMatchObject({ isLogin: false, isError: false })
})

test.each([
  ['an empty element', '<div id="root"></div><script src="/app.js"></script>', true],
  [
    'a menu around an empty element',
    '<header><h1>City</h1><a href="/">Home</a></header><main id="app">Loading…</main><script>start()</script>',
    true,
  ],
  ['a short page with scripts', `${SHORT}<script src="/count.js"></script>`, false],
  ['nothing, without scripts', '<div></div>', false],
  ['data alone', '<div></div><script type="application/ld+json">{}</script>', false],
])('%s needs a browser: %s', (_, html, expected) => {
  expect(signs(html).isEmptyShell).toBe(expected)
})

test.each(['<p>Text <a href="/b">b</a><a href=/c', '<p>Text <a href="/b">b</a></p></div></a>', '<a href="/b"><p>b<main><a href="c'])(
  'a page that is cut off or closes too much is read: %s',
  (html) => {
    expect(signs(html).links[0]).toBe('https://example.org/b')
  },
)

test('an error is told by its status for crawlers', () => {
  expect(signs('<meta name="prerender-status-code" content="404"><p>Nothing here.').isError).toBe(true)
})

test('has the links of its source and the directives for all robots and for us', () => {
  const found = signs(
    '<base href="/b/"><meta name="robots" content="NOINDEX, nofollow"><meta name="otherbot" content="none"><a href="c">c</a><a href="//other.org/">o</a><a href="/x" rel="nofollow">x</a>',
  )
  expect(found).toMatchObject({ links: ['https://example.org/b/c'], robots: ['noindex', 'nofollow'] })
})
