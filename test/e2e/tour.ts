import type { Locator } from 'playwright-core'
import { streamPrompt } from '../support/api.ts'
import { seedChatsOfPage } from '../support/seeded-chats.ts'
import type { Stage, Visitor } from './stage.ts'
import { openCitedChat } from './cited-chat.ts'
import { tourCitations } from './tour-citations.ts'
import { ARABIC, ARABIC_SOURCES, CITING_ARABIC, drawnCup, earlierChats, FORMULAS, LONG, RICH, UNREADABLE, UNRULY } from './tour-words.ts'

/** Inspects the page. `screen` is its name in kebab-case. */
export type Look = (screen: string) => Promise<void>

/** Participants of a tour. */
export interface Tour {
  stage: Stage
  visitor: Visitor
  look: Look
}

/** Takes a new visitor through every screen and state except the final deletion. */
export async function tourChat(tour: Tour): Promise<void> {
  await tourStart(tour)
  await tourAnswers(tour)
  await tourWriting(tour)
  await tourWaiting(tour)
  await tourFailures(tour)
  await tourOffline(tour)
  await tourHistory(tour)
  await tourNowhere(tour)
}

async function tourStart({ stage, visitor, look }: Tour): Promise<void> {
  const { page } = visitor
  await visitor.open()
  await visitor.button('Accept and continue').waitFor()
  await look('consent')
  await visitor.button('Read the full notice').click()
  await page.getByRole('dialog').getByText('What we collect').waitFor()
  await look('privacy-notice')
  await page.locator('.starters button').first().click()
  await visitor.button('Accept and send').waitFor()
  await look('prompt-waits')
  await visitor.button('Decline').click()
  await visitor.button('Open the notice').waitFor()
  await look('declined')
  await visitor.button('Open the notice').click()
  await visitor.button('Accept and continue').click()
  await visitor.composer.fill('')
  await page.getByRole('radio', { name: 'Cook' }).waitFor()
  await whole(page.locator('.composer'))
  await look('empty-chat')
  await page.getByRole('radio', { name: 'Cook' }).check()
  await page.getByRole('heading', { name: 'What shall we eat today?' }).waitFor()
  await look('agent-choice')
  await page.getByRole('radio', { name: 'Assistant' }).check()
  await bringChats(stage, visitor)
}

/** Seeds earlier chats and opens an empty one. */
async function bringChats({ server }: Stage, { page }: Visitor): Promise<void> {
  await seedChatsOfPage(server, page, earlierChats(Date.now()))
  await page.reload()
  await page.locator('.panel nav a').first().waitFor({ state: 'attached' })
}

async function tourAnswers(tour: Tour): Promise<void> {
  const { stage, visitor, look } = tour
  const { page } = visitor
  stage.model.script([{ text: RICH }])
  await visitor.ask('How long should I steep it? Write me a function, and a table.')
  await page.locator('.code pre span span').first().waitFor()
  await look('answer')
  stage.model.script([{ text: FORMULAS }])
  await visitor.ask('When is my tea cool enough to drink?')
  await page.locator('.katex').first().waitFor()
  await page.getByRole('img', { name: 'When to drink' }).waitFor()
  await look('formula')
  await page.getByRole('img', { name: 'When to drink' }).click()
  await page.getByRole('dialog').getByRole('img', { name: 'When to drink' }).waitFor()
  await look('diagram-viewer')
  await page.keyboard.press('Escape')
  stage.model.script([
    { reasoning: 'They ask how long chats are kept. The knowledge should say so.' },
    { toolCall: { name: 'search_knowledge', arguments: { query: 'How long are my chats kept?' } } },
  ])
  stage.model.script([{ text: 'A chat is deleted by itself **30 days** after its last message, or at once when you delete it [1].' }])
  await visitor.ask('How long do you keep this chat?')
  const last = visitor.answers.last()
  for (const step of await last.locator('.step summary').all()) await step.click()
  await look('steps')
  await last.locator('.source').first().click()
  await page.locator(':popover-open').waitFor()
  await look('sources')
  await page.keyboard.press('Escape')
  // Until its card is loaded, it is a number that does nothing.
  await last.locator('button.citation').first().click()
  await page.locator(':popover-open').waitFor()
  await look('citation')
  await page.keyboard.press('Escape')
  await tourCitations(tour)
  stage.model.script([{ toolCall: { name: 'shop_order', arguments: { tea: 'Sencha' } } }])
  await visitor.send('Order some Sencha for me')
  await page.getByRole('region', { name: 'Permission required' }).waitFor()
  await look('approval')
  stage.model.script([{ text: 'All right, nothing was ordered.' }])
  await visitor.button('Don’t allow').click()
  await last.getByText('nothing was ordered').waitFor()
  stage.model.script([{ text: UNRULY }])
  await visitor.ask('What breaks a page?')
  await look('unruly-answer')
  await newChat(visitor)
  stage.model.script([{ text: 'Try a white tea: it is mild, and forgives hot water.' }])
  await visitor.ask('Which tea for a beginner?')
  stage.model.script([{ text: 'A rolled oolong. It tastes of flowers, can be poured five times, and is never bitter.' }])
  await visitor.button('Try again').click()
  await page.getByRole('group', { name: 'Versions of this message' }).waitFor()
  await visitor.button('Copy answer').waitFor()
  await look('versions')
  await visitor.button('Bad answer').click()
  await visitor.button('Edit message').click()
  await page.getByRole('textbox', { name: 'Edit message' }).waitFor()
  await look('edited-prompt')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+/')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('New line').waitFor()
  await look('shortcuts')
  await page.keyboard.press('Escape')
}

async function tourWriting(tour: Tour): Promise<void> {
  const { stage, visitor, look } = tour
  const { page, composer } = visitor
  await newChat(visitor)
  await composer.fill('What was brewed here, and was it done as planned?')
  const files = [await drawnCup(page), { name: 'plan.md', mimeType: 'text/markdown', buffer: Buffer.from('# Tea for two') }, UNREADABLE]
  await page.locator('.composer input[type=file]').setInputFiles(files)
  await page.locator('.attachments .stored').nth(1).waitFor()
  await page.locator('.attachments .rejected').waitFor()
  await look('attachments')
  await visitor.button(`Remove ${UNREADABLE.name}`).click()
  stage.model.script([{ text: 'A black tea, by its colour. The plan was **tea for two**, and there is one cup.' }])
  await composer.press('Enter')
  await visitor.button('Copy answer').waitFor()
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete))
  await look('prompt-with-files')
  await visitor.prompts.locator('img').click()
  await page.getByRole('dialog').getByRole('img').waitFor()
  await look('picture-viewer')
  await page.keyboard.press('Escape')
  await composer.fill('Was my card 4111 1111 1111 1111 charged twice?')
  await composer.press('Enter')
  await page.getByRole('dialog', { name: 'Send personal data?' }).waitFor()
  await look('personal-data')
  await page.keyboard.press('Escape')
  await composer.fill('')
}

async function tourWaiting({ stage, visitor, look }: Tour): Promise<void> {
  const { page } = visitor
  await newChat(visitor)
  stage.model.script([{ text: LONG }, { silence: true }])
  await visitor.send('Tell me how tea came to be drunk')
  await visitor.answers.getByText('From there it went').waitFor()
  await look('streaming')
  await visitor.button('Stop answer').click()
  await visitor.button('Continue').waitFor()
  await look('stopped')
  stage.model.script([{ text: ' to the sea, in ships' }, { cut: true }])
  await visitor.button('Continue').click()
  await page.getByText('This answer was interrupted. The text so far is saved.').waitFor()
  await look('interrupted')
}

async function tourFailures({ stage, visitor, look }: Tour): Promise<void> {
  const { page } = visitor
  await newChat(visitor)
  stage.model.script({ status: 400, body: '{}' })
  await visitor.send('And who drank it first?')
  await page.getByRole('alert').waitFor()
  await look('failure')
  const ended = Promise.withResolvers<void>()
  stage.model.script([{ text: 'Long' }, { until: ended.promise }])
  const running = await streamPrompt(stage.server.url, 'me', 'running')
  await newChat(visitor)
  await visitor.send('Is there a festival of tea?')
  await page.getByText('We’re busy right now. Your message is saved.').waitFor()
  await page.getByRole('timer').waitFor()
  await look('countdown')
  await visitor.button('Cancel').click()
  ended.resolve()
  await running.text()
  await newChat(visitor)
  // The unsent text stays in the message box.
  await visitor.composer.fill('')
}

/** Offline: with the open chat, and with a prompt that couldn't be sent. */
async function tourOffline({ visitor, look }: Tour): Promise<void> {
  const { page } = visitor
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  await (await openPanel(visitor)).getByRole('link', { name: 'What was brewed here' }).click()
  await visitor.answers.getByText('A black tea').waitFor()
  await visitor.prompts.locator('img').waitFor()
  await page.context().setOffline(true)
  await page.getByText('You’re offline.').waitFor()
  await look('offline')
  await visitor.send('And how would you brew it?')
  await page.getByRole('alert').getByText('You’re offline. Your message is saved.').waitFor()
  await look('offline-prompt')
  await visitor.button('Edit').click()
  await visitor.composer.fill('')
  await page.context().setOffline(false)
  await page.getByText('You’re offline.').waitFor({ state: 'detached' })
}

async function tourHistory({ visitor, look }: Tour): Promise<void> {
  const { page } = visitor
  const panel = await openPanel(visitor)
  await look('history')
  await panel.getByRole('button', { name: /^Options for “How hot/ }).click()
  await page.locator('.session-menu:popover-open').getByText('Download').waitFor()
  await look('history-menu')
  await page.keyboard.press('Escape')
  await (await openPanel(visitor)).getByRole('searchbox').fill('water')
  await panel.locator('mark').first().waitFor()
  await look('search')
  await panel.getByRole('searchbox').fill('')
  await panel.getByRole('heading', { name: 'Today' }).waitFor()
  await panel.getByRole('link', { name: 'How hot should' }).click()
  await page.getByRole('list', { name: 'Ask about' }).waitFor()
  await look('topics')
  await visitor.button('Report a problem with this answer').last().click()
  await page.getByRole('button', { name: 'Send report' }).waitFor()
  await look('report')
  await page.keyboard.press('Escape')
}

async function tourNowhere({ visitor, look }: Tour): Promise<void> {
  await visitor.open('#/chat?session=abcdefghijklmnopqrstu')
  await visitor.page.getByRole('heading', { name: 'Chat not found' }).waitFor()
  await look('unknown-chat')
  await visitor.open('#/nowhere')
  await visitor.page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await look('not-found')
  await visitor.open('#/chat')
  await visitor.composer.waitFor()
}

/** Every view of "My data". Afterwards the visitor has no chats and uses shared-computer mode. */
export async function tourMyData({ stage, visitor, look }: Tour): Promise<void> {
  const { page } = visitor
  const inPanel = (name: string) => page.locator('.my-data').getByRole('button', { name, exact: true })
  await visitor.enter()
  await bringChats(stage, visitor)
  await (await openPanel(visitor)).getByRole('button', { name: 'My data' }).click()
  await page.getByText('Stored now').waitFor()
  await look('my-data')
  await page.getByText('More: cookies').click()
  await look('my-data-known')
  await inPanel('Show a code').click()
  await page.getByRole('timer').waitFor()
  await look('my-data-code')
  await inPanel('Back to my data').click()
  await page.evaluate(() => (location.hash = '#/move?code=opens-nothing'))
  await inPanel('Get my chats').click()
  await page.locator('.my-data').getByRole('alert').waitFor()
  await look('my-data-code-taken')
  await inPanel('Back to my data').click()
  await inPanel('All chats').click()
  await page.getByRole('heading', { name: 'Delete all chats?' }).waitFor()
  await look('my-data-deletion')
  await inPanel('Delete all chats').click()
  await page.getByText('We checked that nothing is left').waitFor()
  await page.getByText('How to verify').click()
  await look('my-data-receipt')
  await inPanel('Done').click()
  await page.keyboard.press('Escape')
  await visitor.button('Temporary chat').click()
  await look('temporary-chat')
  await visitor.button('Shared computer').click()
  await page.getByText('Shared computer: chats are erased').waitFor()
  await look('keeping-less')
}

/** The embedding demo, before and after its button is pressed. */
export async function tourEmbedded({ stage, visitor, look }: Tour): Promise<void> {
  const { page } = visitor
  await page.goto(`${stage.server.url}/embed-demo.html`)
  await page.getByRole('button', { name: 'Ask us' }).waitFor()
  await look('embed-demo')
  await page.getByRole('button', { name: 'Ask us' }).click()
  const chat = page.frameLocator('parley-chat iframe')
  const accept = chat.getByRole('button', { name: 'Accept and continue', exact: true })
  await accept
    .or(chat.getByRole('radio', { name: 'Cook' }))
    .first()
    .waitFor()
  if (await accept.isVisible()) await accept.click()
  await chat.getByRole('radio', { name: 'Cook' }).waitFor()
  await whole(chat.locator('.composer'))
  await look('embedded-chat')
}

/** The page in Arabic. */
export async function tourInArabic({ stage, visitor, look }: Tour): Promise<void> {
  const { page } = visitor
  await visitor.open()
  await visitor.button('Read the full notice').click()
  await page.getByText('What we collect').waitFor()
  await page.getByRole('dialog').getByRole('combobox').selectOption('ar')
  await page.locator('html[dir=rtl]').waitFor()
  await look('arabic-notice')
  await page.getByRole('dialog').locator('footer button').last().click()
  await whole(page.locator('.composer'))
  await look('arabic-empty')
  stage.model.script([{ text: ARABIC }])
  await page.locator('#composer').fill('كم دقيقة أنقع الشاي الأخضر؟')
  await page.keyboard.press('Enter')
  await page.locator('article.agent[aria-busy=false] .code pre span span').first().waitFor()
  await look('arabic-answer')
  await openCitedChat(stage.server, page, CITING_ARABIC, ARABIC_SOURCES, 'العربية')
  await page.locator('.prose button').first().click()
  await page.locator(':popover-open').waitFor()
  await look('arabic-citation')
}

/** The file button is loaded last in the message box. */
const whole = (composer: Locator) => composer.locator('input[type=file]').waitFor({ state: 'attached' })

async function newChat({ page, composer }: Visitor): Promise<void> {
  await page.getByRole('button', { name: 'New chat' }).first().click()
  await page.getByRole('radio', { name: 'Assistant' }).check()
  await composer.waitFor()
}

/** The panel beside the chat, or on a narrow screen the drawer, which is opened. */
async function openPanel(visitor: Visitor): Promise<Locator> {
  const panel = visitor.page.locator('.panel, .drawer').filter({ visible: true })
  if ((await panel.count()) === 0) await visitor.button('Open the menu').click()
  await panel.getByRole('link').first().waitFor()
  return panel
}
