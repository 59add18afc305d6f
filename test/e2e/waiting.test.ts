import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { openStage, pausedText, type Stage, type Visitor, words } from './stage.ts'

let stage: Stage
let visitor: Visitor

beforeAll(async () => {
  stage = await openStage(await launchBrowser())
})
afterAll(() => stage.close())
afterEach(() => visitor.leave())

const waiting = () => visitor.page.getByRole('list', { name: 'Waiting messages' }).getByRole('listitem')
const texts = () => waiting().locator('p').allInnerTexts()
const of = (text: string) => waiting().filter({ hasText: text })

/** Answers the first prompt until `release`, and the later ones at once. */
function pauseFirst() {
  const { script, release } = pausedText(words(40))
  let answers = 0
  stage.model.script(({ prompt }) => (answers++ === 0 ? script : [{ text: `Answer to ${prompt}` }]))
  return release
}

test('prompts written during an answer wait, can be edited and removed, and are sent in order when it is complete', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  const release = pauseFirst()
  await visitor.send('first')
  await visitor.answers.getByText('word5').waitFor()
  for (const prompt of ['second', 'thrid', 'fourth', 'fifth']) await visitor.send(prompt)
  await expect.poll(() => texts()).toEqual(['second', 'thrid', 'fourth', 'fifth'])
  await of('fifth').getByRole('button', { name: 'Remove message' }).click()
  await of('thrid').getByRole('button', { name: 'Edit' }).click()
  await expect.poll(() => visitor.composer.inputValue()).toBe('thrid')
  await visitor.send('third')
  await expect.poll(() => texts()).toEqual(['second', 'fourth', 'third'])
  await expect.poll(() => visitor.promptTexts()).toEqual(['first'])
  release()
  await visitor.answers.getByText('Answer to third').waitFor()
  await expect.poll(() => visitor.promptTexts()).toEqual(['first', 'second', 'fourth', 'third'])
  await expect.poll(() => waiting().count()).toBe(0)
})

test('prompts that are sent while a limit holds one back wait for it, and all send themselves', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  const { page } = visitor
  await page.clock.install()
  stage.model.script(({ prompt }) => [{ text: `Answer to ${prompt}` }])
  const body = JSON.stringify({ code: 'too_many_requests' })
  const isPrompt = (url: URL) => url.pathname.startsWith('/api/v1/agent/chat/')
  await page.route(isPrompt, (route) => route.fulfill({ status: 429, headers: { 'retry-after': '30' }, body }), { times: 1 })
  await visitor.send('first')
  await page.getByText('Sending again in').waitFor()
  await visitor.send('second')
  await expect.poll(() => texts()).toEqual(['second'])
  await page.clock.fastForward(31_000)
  await visitor.answers.getByText('Answer to second').waitFor()
  await expect.poll(() => visitor.promptTexts()).toEqual(['first', 'second'])
})

test('after a stop, the prompt for which the visitor stopped is sent, and the others wait for the next answer', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  pauseFirst()
  await visitor.send('first')
  await visitor.answers.getByText('word5').waitFor()
  for (const prompt of ['later', 'now']) await visitor.send(prompt)
  await of('now').getByRole('button', { name: 'Stop and send' }).click()
  await visitor.answers.getByText('Answer to later').waitFor()
  await expect.poll(() => visitor.promptTexts()).toEqual(['first', 'now', 'later'])
})

test('after a stop or a failure alone, the visitor decides; a reload puts what waits into the message box', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  pauseFirst()
  await visitor.send('first')
  await visitor.answers.getByText('word5').waitFor()
  for (const prompt of ['second', 'third', 'fourth']) await visitor.send(prompt)
  await visitor.button('Stop answer').click()
  await visitor.page.getByText('You stopped this answer.').waitFor()
  await expect.poll(() => texts()).toEqual(['second', 'third', 'fourth'])
  stage.model.script(() => ({ status: 400, body: '{"error":{"message":"internals"}}' }))
  await of('second').getByRole('button', { name: 'Send', exact: true }).click()
  await visitor.page.getByRole('alert').waitFor()
  await expect.poll(() => texts()).toEqual(['third', 'fourth'])
  await visitor.page.reload()
  await visitor.composer.waitFor()
  await expect.poll(() => visitor.composer.inputValue()).toBe('third\nfourth')
  await expect.poll(() => visitor.promptTexts()).toEqual(['first', 'second'])
})
