import type { Page } from 'playwright-core'
import type { SeededChat } from '../support/seeded-chats.ts'

const MINUTE_MS = 60 * 1000
const DAY_MS = 24 * 60 * 60 * 1000

const EARLIER: [title: string, daysAgo: number][] = [
  ['How hot should the water be?', 0],
  ['Green tea or black in the morning', 0],
  ['A gift for someone who likes smoke', 1],
  ['Does tea have more caffeine than coffee?', 3],
  ['Storing tea in a small kitchen', 5],
  ['Teapots that do not drip', 20],
]

/** Suggested prompts of an answer. */
const TOPICS = {
  type: 'data-topics',
  data: { topics: ['Why not with boiling water?', 'How do I know 75 °C without a thermometer?', 'And for a second pot?'] },
}

/** Neither a picture nor a text. */
export const UNREADABLE = { name: 'notes.pages', mimeType: 'application/octet-stream', buffer: Buffer.from([0, 255, 254, 0, 1, 2]) }

/** A picture of a cup of tea, to attach. */
export async function drawnCup(page: Page) {
  const url = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 960, height: 640 })
    const context = canvas.getContext('2d')!
    context.fillStyle = '#d9c3a0'
    context.fillRect(0, 0, canvas.width, canvas.height)
    for (const [radius, color] of [
      [250, '#f4efe6'],
      [170, '#ffffff'],
      [150, '#8a3b12'],
      [110, '#a04a1a'],
    ] as const) {
      context.fillStyle = color
      context.beginPath()
      context.arc(480, 320, radius, 0, Math.PI * 2)
      context.fill()
    }
    return canvas.toDataURL()
  })
  return { name: 'cup.png', mimeType: 'image/png', buffer: Buffer.from(url.split(',')[1]!, 'base64') }
}

/** A visitor's earlier chats. `now` in milliseconds since the epoch. */
export function earlierChats(now: number): SeededChat[] {
  return EARLIER.map(([title, daysAgo], index) => {
    const at = now - daysAgo * DAY_MS - index * MINUTE_MS
    const answer = 'For most green teas 70 to 80 °C, and two minutes; black tea takes boiling water and four.'
    const messages = [
      { role: 'user' as const, parts: [{ type: 'text', text: title }] },
      { role: 'assistant' as const, parts: [{ type: 'text', text: answer }, TOPICS] },
    ]
    return { title, at, messages }
  })
}

/** A sample of all Markdown features. */
export const RICH = [
  'A pot of **750 ml** takes about 10 g of leaves. What `steep` below returns is in seconds; [how it was found](https://example.org).',
  '```js\n// seconds, for leaves of a size in millimetres\nexport function steep(kind, size) {\n  const base = { green: 120, black: 240 }[kind]\n  return base * (1 + size / 10)\n}\n```',
  '| tea | water | time |\n|---|--:|--:|\n| green | 75 °C | 2 min |\n| black | 100 °C | 4 min |\n| oolong | 90 °C | 3 min |',
  '> Good water first, good leaves second.',
  '- [x] warm the pot\n- [ ] let it rest',
].join('\n\n') // biome-ignore format: one block a line

/** Texts that break layouts: an endless word and right-to-left text. */
export const UNRULY = ['نص من اليمين إلى اليسار', 'long'.repeat(200), '## A heading', '1. one\n2. two'].join('\n\n')

export const FORMULAS = [
  'Left alone, a cup cools as Newton said:[^1]',
  '$$\nT(t) = T_r + (T_0 - T_r)\\, e^{-kt}\n$$',
  'With $k \\approx 0.03$ a minute, tea of 95 °C is down to 60 °C after',
  '\\[ t = \\frac{1}{k} \\ln \\frac{T_0 - T_r}{T - T_r} = \\frac{1}{0.03} \\ln \\frac{75}{40} \\approx 21 \\text{ minutes.} \\]',
  '```mermaid\nflowchart LR\n  accTitle: When to drink\n  A[Pour] --> B{Under 60 °C?}\n  B -- no --> C[Wait] --> B\n  B -- yes --> D([Drink])\n```',
  '[^1]: *Scala graduum caloris*, 1701.',
].join('\n\n')

export const LONG =
  'Tea was a medicine before it was a drink. The leaves were boiled with ginger and salt, and nobody thought of it as a pleasure. ' +
  'That changed when the leaves began to be steamed and pressed, which kept them for a year and made them light enough to be carried over mountains.\n\n' +
  'Then came the whisk: powder, beaten in a bowl until it foamed. From there it went'

/** Sources of an answer, from short to far too long. */
export const MANY_SOURCES = [
  {
    title:
      'The rights of consumers who buy tea at a distance, by post, by telephone or on the web, in all countries of the Union and beyond',
    breadcrumb: `The rights of consumers › ${'A section with a long name › '.repeat(6)}Time limits`,
    quote: 'You have **30 days** from delivery to return what you bought. '.repeat(14),
    asOf: '2026-11-22',
    address: 'https://shop.example/returns',
  },
  { title: 'Refunds', breadcrumb: 'Refunds › When', quote: 'Within five working days.', address: 'https://shop.example/refunds' },
  { title: 'Refunds', breadcrumb: 'Refunds › How', quote: 'The way you paid.', file: 'a-folder/refunds.md', asOf: '2026-10-01' },
  ...Array.from({ length: 9 }, (_, index) => ({
    title: `Terms of sale, page ${index + 1}`,
    file: 'terms.pdf',
    quote: `Term ${index + 1}.`,
  })),
]
export const CITING = `You have **30 days** from delivery [1], and get your money within five working days [2, 3]. ${'It is in the terms [4][5][6][7][8]. '.repeat(3)}`

export const ARABIC_SOURCES = [
  {
    title: 'سياسة الإرجاع',
    breadcrumb: 'سياسة الإرجاع › المهل',
    quote: 'لديك **30 يومًا**.',
    asOf: '2026-11-22',
    address: 'https://shop.example/',
  },
  { title: 'Terms of sale', breadcrumb: 'Terms of sale › General', quote: 'You have 30 days.', file: 'terms.pdf' },
]
export const CITING_ARABIC = 'لديك 30 يومًا لإرجاع ما اشتريته [1]، كما في الشروط [2].'

export const ARABIC = [
  'الشاي الأخضر يُنقع **دقيقتين** في ماء حرارته 75 درجة:',
  '| الشاي | الماء | الوقت |\n|---|--:|--:|\n| أخضر | 75 °C | 2 min |\n| أسود | 100 °C | 4 min |',
  '```js\nconst minutes = { green: 2, black: 4 }\n```',
].join('\n\n')
