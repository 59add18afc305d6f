import type { Page, Request } from 'playwright-core'
import { count, type Figure, withinBound } from './support/measurement.ts'
import { ask, enter, withVisitor } from './support/own-page.ts'
import { withProcesses } from './support/processes.ts'
import { parleyWithModel } from './support/setup.ts'

const ANSWER_LIMIT_MS = 20_000
/** Everything in an answer that could make a page send a request. */
const ANSWER = [
  '# A page of links',
  '![A picture](https://pictures.example/one.png) and [a link](https://links.example/), https://bare.example/ and <img src="https://html.example/two.png">',
  '```python\nprint("highlighted on demand")\n```',
  '```mermaid\n%%{init: {"securityLevel": "loose"}}%%\nflowchart LR\n  A["<img src=https://diagrams.example/x>"] --> B\n  click A "https://diagrams.example/y"\n```',
  '| a | b |\n|---|---|\n| ![x](https://table.example/x.svg) | `code` |',
  '<script src="https://scripts.example/x.js"></script><link rel="stylesheet" href="https://styles.example/x.css">',
].join('\n\n')

/** Requests to other hosts, from the first visit to the reload after an answer. */
export const otherHosts: Figure = {
  name: 'other-hosts',
  measure: () =>
    withProcesses(async (processes) => {
      const parley = await parleyWithModel(processes, ['--text', ANSWER])
      const requests: URL[] = []
      return withVisitor(
        async (page) => {
          await enter(page, parley.url)
          await ask(page, 'Show me everything, please.', ANSWER_LIMIT_MS)
          await drawn(page)
          await page.reload()
          await drawn(page)
          await page.goto(`${parley.url}/#/no-such-page`)
          await loaded(page)
          return [withinBound('requests to other hosts', countOthers(requests, new URL(parley.url).host), 0, count)]
        },
        (context) => context.on('request', (request: Request) => requests.push(new URL(request.url()))),
      )
    }),
}

/** Waits until the answer is rendered with everything that it loads on demand. */
async function drawn(page: Page): Promise<void> {
  await page.locator('.code pre span[style]').first().waitFor()
  await page.locator('.drawing img').waitFor()
  await loaded(page)
}

/** Waits until the page has sent its own requests: it is shown, and a later request has returned. A stream is always open. */
async function loaded(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    await fetch('/favicon.svg', { cache: 'no-store' })
  })
}

function countOthers(requests: URL[], own: string): number {
  const overNetwork = requests.filter(({ protocol }) => protocol === 'http:' || protocol === 'https:')
  const others = overNetwork.filter(({ host }) => host !== own)
  // Seeing no request at all means that the listener is broken.
  if (others.length === overNetwork.length) throw new Error('No request of the page was seen.')
  return others.length
}
