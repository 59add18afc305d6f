import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { openStage, type Stage, type Visitor } from './stage.ts'

const CARD = '4111 1111 1111 1111'
const IBAN = 'DE89 3704 0044 0532 0130 00'

let stage: Stage
let visitor: Visitor
let agents: string

beforeAll(async () => {
  agents = mkdtempSync(join(tmpdir(), 'parley-personal-data-'))
  writeFileSync(
    join(agents, 'assistant.md'),
    '---\nid: assistant\nname: Assistant\ngreeting: Hello\npersonalData:\n  iban: mask\n  email: refuse\n---\nBe kind.\n',
  )
  stage = await openStage(await launchBrowser(), { AGENTS_DIR: agents })
  stage.model.script(({ prompt }) => [{ text: `You wrote: ${prompt}` }])
})
afterAll(async () => {
  await stage.close()
  rmSync(agents, { recursive: true })
})
afterEach(() => visitor.leave())

const lastPrompt = () => JSON.stringify(stage.model.requests.at(-1)?.body.messages.at(-1))
const stored = ({ page }: Visitor) => page.evaluate(() => JSON.stringify({ ...sessionStorage }))
const dialog = ({ page }: Visitor) => page.getByRole('dialog', { name: 'Send personal data?' })

test('asks before a card number is sent: it goes back to be edited, is removed, or is sent', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  const requests = stage.model.requests.length
  const prompt = `Was ${CARD} charged?`
  await visitor.send(prompt)
  await dialog(visitor).getByText('Your message contains a card number.').waitFor()
  await visitor.page.keyboard.press('Escape')
  await expect.poll(() => visitor.composer.inputValue()).toBe(prompt)
  expect([await visitor.prompts.count(), stage.model.requests.length]).toEqual([0, requests])
  await visitor.composer.press('Enter')
  await visitor.button('Remove and send').click()
  await visitor.button('Copy answer').waitFor()
  await expect.poll(() => visitor.promptTexts()).toEqual(['Was [card 1] charged?'])
  expect(lastPrompt()).toContain('Was [card 1] charged?')
  await visitor.send(prompt)
  await visitor.button('Send anyway').click()
  await visitor.button('Copy answer').nth(1).waitFor()
  expect(lastPrompt()).toContain(CARD)
  expect(visitor.faults).toEqual([])
})

test('sends a valid prompt without a question, and none that the agent refuses', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  await visitor.ask('Order 4111 1111 1111 1112')
  await visitor.send('Write to a@example.org')
  await dialog(visitor).getByText('The assistant doesn’t accept this.').waitFor()
  await expect.poll(() => visitor.button('Send anyway').count()).toBe(0)
  await dialog(visitor).getByRole('button', { name: 'Edit message' }).click()
  await visitor.composer.fill('Never mind')
  await visitor.ask('Never mind')
})

test('masks what it sends, and shows the values in this tab alone, also after a reload', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  await visitor.ask(`Pay to ${IBAN}`)
  expect(lastPrompt()).toContain('Pay to [iban 1]')
  await expect.poll(() => visitor.promptTexts()).toEqual([`Pay to ${IBAN}`])
  await visitor.answers.getByText(`You wrote: Pay to ${IBAN}`).waitFor()
  await visitor.composer.fill(`And then ${IBAN.replaceAll(' ', '')}`)
  await visitor.page.reload()
  await visitor.answers.getByText(`You wrote: Pay to ${IBAN}`).waitFor()
  await expect.poll(() => visitor.composer.inputValue()).toBe(`And then ${IBAN}`)
  expect(await stored(visitor)).toContain('And then [iban 1]')
  const other = await visitor.anotherTab()
  await other.open()
  await other.chats.first().click()
  await expect.poll(() => other.promptTexts()).toEqual(['Pay to [iban 1]'])
  await visitor.composer.press('Enter')
  await visitor.button('Copy answer').nth(1).waitFor()
  expect(lastPrompt()).toContain('And then [iban 1]')
})

test('masks an edited prompt, and stores no values of a temporary chat', async () => {
  visitor = await stage.visitor()
  await visitor.enter()
  await visitor.ask('Pay to whom?')
  await visitor.button('Edit message').click()
  await visitor.page.getByRole('textbox', { name: 'Edit message' }).fill(`Pay to ${IBAN}`)
  await visitor.page.keyboard.press('Enter')
  await visitor.page.getByText('2 / 2').waitFor()
  await expect.poll(lastPrompt).toContain('Pay to [iban 1]')
  expect(await stored(visitor)).toContain('0532')
  const other = await visitor.anotherTab()
  await other.open()
  await other.button('Temporary chat').click()
  await other.ask(`Temporary ${IBAN}`)
  await expect.poll(() => other.promptTexts()).toEqual([`Temporary ${IBAN}`])
  expect(lastPrompt()).toContain('Temporary [iban 1]')
  expect(await stored(other)).not.toMatch(/(?<![\w-])0532(?![\w-])|DE89370400440532013000/)
})
