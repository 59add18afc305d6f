import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { openStage, type Stage } from './stage.ts'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const directory = mkdtempSync(join(tmpdir(), 'agents-'))
let stage: Stage
beforeAll(async () => {
  writeFileSync(join(directory, 'cook.png'), Buffer.from(PIXEL, 'base64'))
  writeFileSync(join(directory, 'assistant.md'), '---\nname: Anna\ngreeting: I am Anna.\n---\nYou are Anna.\n')
  writeFileSync(
    join(directory, 'cook.md'),
    '---\nname: Cook\npicture: cook.png\ngreeting: What shall we eat?\nstarters: [Soup]\n---\nYou cook.\n',
  )
  writeFileSync(join(directory, 'guide.md'), `---\nname: Guide\ngreeting: Where to?\nchoices: [simpler]\n---\nYou guide.\n`)
  stage = await openStage(await launchBrowser(), { AGENTS_DIR: directory })
})
afterAll(async () => {
  await stage.close()
  rmSync(directory, { recursive: true })
})

test('with several agents, the visitor chooses one, and its chat stays with it', async () => {
  const visitor = await stage.visitor()
  await visitor.enter()
  await visitor.page.getByRole('heading', { name: 'I am Anna.' }).waitFor()
  await visitor.page.getByRole('radio', { name: 'Cook' }).check()
  await visitor.page.getByRole('heading', { name: 'What shall we eat?' }).waitFor()
  await visitor.page.locator('.radios img').waitFor()
  await visitor.button('Soup').click()
  await expect.poll(() => JSON.stringify(stage.model.requests.at(-1)?.body)).toContain('You cook.')
  await expect.poll(() => new URL(visitor.page.url()).hash).toContain('session=')
  await visitor.page.reload()
  await visitor.page.getByText('Soup').first().waitFor()
  await expect.poll(() => visitor.answers.count()).toBe(1)
  const asked = stage.model.requests.length
  await visitor.ask('And then?')
  await expect.poll(() => stage.model.requests.length).toBe(asked + 1)
  expect(JSON.stringify(stage.model.requests.at(-1)?.body)).toContain('You cook.')
  expect(visitor.faults).toEqual([])
  await visitor.leave()
})

test('where the agent offers it, a visitor asks for simpler words', async () => {
  const visitor = await stage.visitor()
  const { page } = visitor
  await visitor.enter()
  await page.getByRole('radio', { name: 'Guide' }).check()
  await visitor.ask('To the sea?')
  const before = stage.model.requests.length
  await page.getByRole('button', { name: 'Explain more simply' }).click()
  await expect.poll(() => stage.model.requests.length).toBe(before + 1)
  expect(stage.model.requests.at(-1)?.prompt).toContain('Explain your last answer more simply.')
  await expect.poll(() => visitor.answers.count()).toBe(2)
  expect(visitor.faults).toEqual([])
  await visitor.leave()
})
