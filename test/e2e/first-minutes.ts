import type { Locator, Page } from 'playwright-core'
import type { Look } from './tour.ts'

interface FirstMinutes {
  staff: Page
  visitor: Page
  /** The link that the server prints. */
  link: string
  chat: string
  look: Look
}

export const QUESTION = 'Can I bring my parrot to the pool?'

/**
 * From the console's link to an answer that a visitor gets to a question that had none, through what the screens offer. Returns how many
 * clicks, choices and fields it took staff.
 */
export async function walkFirstMinutes({ staff, visitor, link, chat, look }: FirstMinutes): Promise<number> {
  let interactions = 0
  const act = async (action: Promise<unknown>) => {
    interactions += 1
    await action
  }
  const button = (name: string, within: Page | Locator = staff) => within.getByRole('button', { name, exact: true })
  const followed = (name: string) => staff.getByRole('link', { name, exact: true })
  const panel = staff.getByRole('complementary', { name: 'Ask' })

  await act(staff.goto(link))
  await staff.getByRole('heading', { name: 'Welcome' }).waitFor()
  await look('welcome')
  await act(button('Add a passkey').click())
  await staff.getByText('First steps: 0 of 5 done').waitFor()
  await look('overview-empty')

  await act(followed('Add a document or a website').click())
  const file = {
    name: 'pool.md',
    mimeType: 'text/markdown',
    buffer: Buffer.from('# Pool\n\n## Opening hours\n\nThe pool opens at nine.\n'),
  }
  await act(staff.getByLabel('Add documents', { exact: true }).setInputFiles([file]))
  await button('Ask about it').waitFor()
  await look('document-added')
  await act(button('Ask about it').click())

  const question = panel.getByRole('textbox', { name: 'Question' })
  await act(question.fill(QUESTION))
  await act(question.press('Enter'))
  await panel.getByText('What was searched').waitFor()
  await act(panel.getByText('What was searched').click())
  await look('asked')
  await act(followed('Questions').click())
  await staff.getByRole('heading', { name: QUESTION }).waitFor()
  await look('questions')

  await act(followed('Write the answer').click())
  await act(
    staff.getByRole('textbox', { name: 'Answer', exact: true }).fill('Parrots are welcome in the **garden**, but not in the water.'),
  )
  await act(staff.getByRole('textbox', { name: 'Source', exact: true }).fill('House rules'))
  await look('answer')
  await act(button('Publish').click())
  await act(button('Ask it now').click())
  await panel.getByText('Parrots are welcome').waitFor()
  await look('published')
  await act(followed('Questions').click())
  await staff.getByText('Not enough visitors yet').waitFor()
  await staff.getByRole('heading', { name: QUESTION }).waitFor({ state: 'detached' })

  await visitor.goto(chat)
  await visitor.getByRole('button', { name: /^Accept/ }).click()
  const composer = visitor.getByRole('textbox', { name: /^Message/ })
  await composer.fill(QUESTION)
  await composer.press('Enter')
  await visitor.locator('article.agent .prose').getByText('Parrots are welcome').waitFor()
  return interactions
}
