import type { Page } from 'playwright-core'
import { sendPrompt } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { pdfOf } from '../support/pdf.ts'
import type { TestServer } from '../support/server.ts'
import { storeTopic } from '../support/stored-topics.ts'
import { reloadUntil } from './reload-until.ts'
import type { Look } from './tour.ts'

/** A new installation, the console's page of somebody who has never seen it, and a visitor's page. */
export interface ConsoleTour {
  server: TestServer
  origin: string
  /** The secret of the link that the server prints at its first start. */
  link: string
  staff: Page
  visitor: Page
  look: Look
  lookAtVisitor: Look
}

const AGENT = 'town-hall'
/** In which an evaluation ends on a busy machine. */
const EVALUATED_MS = 15_000
/** Only ends tours that hang. */
const PATIENCE_MS = 120_000
/** Twice as many as a figure needs, since the last ones wait for others; and one more. */
const VISITORS = 11
const PERMIT = 'What does a parking permit cost?'
const TOPIC = 'zeppelin rides'

/** From the first link to a published, evaluated agent, and from a question without an answer to an approved answer that moves the figure. */
export async function tourConsole(tour: ConsoleTour): Promise<void> {
  await enter(tour)
  await uploadPermits(tour)
  await publishAgent(tour)
  await askForZeppelins(tour)
  await approveAnswer(tour)
  await seeFigureMove(tour)
}

/** On a phone, the screens are behind a button. */
async function open(page: Page, screen: string): Promise<void> {
  const screens = page.locator('button.screens')
  if (await screens.isVisible()) await screens.click()
  await page.getByRole('navigation').getByRole('link', { name: screen, exact: true }).click()
}
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const confirm = (page: Page, action: string) => page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click()

async function enter({ staff, origin, link, look }: ConsoleTour): Promise<void> {
  await staff.goto(`${origin}/#/enter/${link}`)
  await field(staff, 'Name of the device').fill('Work laptop')
  await look('console-first-visit')
  await button(staff, 'Add a passkey').click()
  await staff.getByText('First steps').waitFor()
}

async function uploadPermits({ staff, look }: ConsoleTour): Promise<void> {
  await open(staff, 'Documents')
  await staff
    .getByLabel('Add documents', { exact: true })
    .setInputFiles([
      { name: 'permits.pdf', mimeType: 'application/pdf', buffer: pdfOf(['A parking permit costs 30 euros a year.'], 'Parking permits') },
    ])
  await staff.getByRole('link', { name: 'permits.pdf' }).waitFor()
  await look('console-knowledge')
}

async function publishAgent({ staff, look }: ConsoleTour): Promise<void> {
  await open(staff, 'Agents')
  await field(staff, 'Id').fill(AGENT)
  await button(staff, 'Create').click()
  const text = field(staff, 'Text')
  await text.waitFor()
  await text.fill((await text.inputValue()).replace(/^name: .*$/m, 'name: Town hall'))
  await button(staff, 'Save draft').click()
  await staff.getByText('Saved.', { exact: true }).waitFor()
  const openTab = (name: string) => staff.getByRole('group', { name: 'Parts of the agent' }).getByRole('link', { name }).click()
  await openTab('Evaluation')
  await field(staff, 'Question').fill(PERMIT)
  await field(staff, 'The answer must contain (optional)').fill('30 euros')
  await button(staff, 'Add case').click()
  // An uploaded document answers within a second.
  await eventually(async () => {
    await button(staff, 'Evaluate the draft').click()
    await staff.getByText('1 of 1 cases right.', { exact: true }).waitFor({ timeout: EVALUATED_MS })
  }, PATIENCE_MS)
  await look('console-evaluation')
  await openTab('Settings')
  await button(staff, 'Publish').click()
  await confirm(staff, 'Publish')
  await openTab('Versions')
  await staff.getByRole('heading', { name: 'Version 1, published now' }).waitFor()
}

/** Visitors by the API beside the one whose page is shown. */
async function others(server: TestServer, prompt: string): Promise<void> {
  for (let visitor = 1; visitor < VISITORS; visitor += 1)
    await (await sendPrompt(server.url, AGENT, prompt, { headers: { 'x-forwarded-for': `203.0.113.${visitor}` } })).json()
}

async function ask(page: Page, prompt: string): Promise<void> {
  const answered = await button(page, 'Copy answer').count()
  const composer = page.getByRole('textbox', { name: /^Message/ })
  await composer.fill(prompt)
  await composer.press('Enter')
  await button(page, 'Copy answer').nth(answered).waitFor()
}

async function askForZeppelins({ server, staff, visitor, look, lookAtVisitor }: ConsoleTour): Promise<void> {
  await visitor.goto(`${server.url}/`)
  await button(visitor, 'Accept and continue').click()
  const agent = visitor.getByRole('radio', { name: 'Town hall' })
  // A page that was opened within the second in which the agent came into force doesn't have it yet.
  await reloadUntil(visitor, agent)
  await agent.check()
  await ask(visitor, PERMIT)
  await visitor.locator('article.agent .prose').getByText('30 euros').waitFor()
  await ask(visitor, `Do you offer ${TOPIC}?`)
  await visitor.locator('article.agent').getByText('I couldn’t find that').waitFor()
  await lookAtVisitor('console-visitor-without-answer')
  // A share appears once five visitors got an answer and five got none.
  await others(server, PERMIT)
  await others(server, TOPIC)
  await storeTopic(server, TOPIC)
  await open(staff, 'Overview')
  await whenNotCovered(staff, (share) => share >= 40)
  await look('console-overview-before')
}

async function approveAnswer({ staff, look }: ConsoleTour): Promise<void> {
  await open(staff, 'Questions')
  await staff.getByRole('heading', { name: TOPIC }).waitFor()
  await look('console-unanswered')
  await staff.getByRole('link', { name: 'Write the answer' }).click()
  await field(staff, 'Question').fill(`Do you offer ${TOPIC}?`)
  await field(staff, 'Answer').fill('Zeppelin rides start at the **airfield** every Sunday at noon.')
  await field(staff, 'Source').fill('Timetable')
  await look('console-approved-answer')
  await button(staff, 'Publish').click()
  await staff.getByRole('heading', { name: 'Version 1, published now' }).waitFor()
}

async function seeFigureMove({ server, staff, visitor, look, lookAtVisitor }: ConsoleTour): Promise<void> {
  await ask(visitor, `Do you offer ${TOPIC}?`)
  await visitor.getByText(/^Approved answer/).waitFor()
  await lookAtVisitor('console-visitor-approved-answer')
  await others(server, TOPIC)
  await open(staff, 'Questions')
  await button(staff, `Dismiss: ${TOPIC}`).click()
  await staff.getByText('Not enough visitors yet.').waitFor()
  await open(staff, 'Overview')
  await whenNotCovered(staff, (share) => share < 40)
  await look('console-overview-after')
}

/** Waits until the Overview shows such a percentage of prompts that are not covered; figures appear within ten seconds. */
async function whenNotCovered(staff: Page, isWanted: (share: number) => boolean): Promise<void> {
  const tile = staff.locator('.tiles > div').filter({ has: staff.getByText('Not covered', { exact: true }) })
  await eventually(async () => {
    await staff.reload()
    const [, share] = /(\d+)%/.exec(await tile.innerText()) ?? []
    if (share === undefined || !isWanted(Number(share))) throw new Error(`The share is ${share}`)
  }, PATIENCE_MS)
}
