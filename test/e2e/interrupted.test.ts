import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { openStage, type Stage, type Visitor, words } from './stage.ts'

let stage: Stage
let visitor: Visitor

beforeAll(async () => {
  stage = await openStage(await launchBrowser())
})
afterAll(() => stage.close())
afterEach(() => visitor.leave())

const texts = async () => (await visitor.answers.locator('.prose').allInnerTexts()).map((text) => text.trim())

test('an answer whose server is killed keeps what was shown, is marked incomplete, and can be continued', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  stage.model.script([{ text: words(500), tokensPerSecond: 20 }])
  await visitor.send('Tell me all')
  await visitor.answers.getByText('word20').waitFor()
  const [shown = ''] = await texts()
  await stage.server.kill('SIGKILL')
  await visitor.page.getByText('Reconnecting…').waitFor()
  await visitor.composer.fill('Meanwhile')
  await stage.server.restart()
  const notice = visitor.page.getByRole('alert').getByText('This answer was interrupted. The text so far is saved.')
  await notice.waitFor()
  const [kept = ''] = await texts()
  expect(kept.startsWith(shown)).toBe(true)
  stage.model.script([{ text: 'and that is the rest.' }])
  await visitor.button('Continue').click()
  await visitor.answers.getByText('and that is the rest.').waitFor()
  await notice.waitFor({ state: 'detached' })
  expect(await texts()).toEqual([kept, 'and that is the rest.'])
  await expect.poll(() => visitor.promptTexts()).toEqual(['Tell me all'])
  await expect.poll(() => visitor.composer.inputValue()).toBe('Meanwhile')
  await visitor.page.reload()
  await visitor.answers.getByText('and that is the rest.').waitFor()
  expect(await texts()).toEqual([kept, 'and that is the rest.'])
})

test('a stopped answer can be continued, and a continued answer can be regenerated', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  stage.model.script([{ text: words(2_000), tokensPerSecond: 30 }])
  await visitor.send('Go on without end')
  await visitor.answers.getByText('word5').waitFor()
  await visitor.button('Stop answer').click()
  await visitor.page.getByText('You stopped this answer.').waitFor()
  stage.model.script([{ text: words(2_000), tokensPerSecond: 30 }])
  await visitor.button('Continue').click()
  await visitor.answers.nth(1).getByText('word5').waitFor()
  await visitor.button('Stop answer').click()
  await visitor.page.getByText('You stopped this answer.').waitFor()
  stage.model.script([{ text: 'All in one.' }])
  await visitor.button('Retry').click()
  await visitor.answers.getByText('All in one.').waitFor()
  await visitor.button('Send').waitFor()
  expect(await texts()).toEqual(['All in one.'])
})

test('an answer that ended before its first word is retried, not continued', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  stage.model.script(({ prompt }) => (prompt === 'Think long' ? [{ silence: true }] : undefined))
  await visitor.send('Think long')
  await visitor.answers.getByRole('img', { name: 'Answering' }).waitFor()
  await visitor.button('Stop answer').click()
  await visitor.page.getByText('You stopped this answer.').waitFor()
  await expect.poll(() => visitor.button('Continue').count()).toBe(0)
  await expect.poll(() => visitor.button('Retry').count()).toBe(1)
})
