import type { Locator, Page } from 'playwright-core'
import type { Look } from './tour.ts'

interface FirstMinutes {
  staff: Page
  visitor: Page
  /** The link that the server prints. */
  link: string
  chat: string
  look: Look
  /** Address of a website to add instead of a file. */
  website?: string
  /** An endpoint of OpenAI's protocol to connect at the end, and what it answers. */
  model?: { address: string; says: string }
}

export const QUESTION = 'Can I bring my parrot to the pool?'

/**
 * From the console's link to an answer that a visitor gets to a question that had none, through what the screens offer. Returns how many
 * clicks, choices and fields it took staff.
 */
export async function walkFirstMinutes({ staff, visitor, link, chat, look, website, model }: FirstMinutes): Promise<number> {
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
  if (website) {
    await act(followed('Websites').click())
    await act(staff.getByRole('textbox', { name: 'Web address' }).fill(website))
    await act(button('Add a website').click())
  } else {
    const file = {
      name: 'pool.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from('# Pool\n\n## Opening hours\n\nThe pool opens at nine.\n'),
    }
    await act(staff.getByLabel('Add documents', { exact: true }).setInputFiles([file]))
  }
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

  await askAsVisitor(visitor, chat, QUESTION, 'Parrots are welcome')
  if (!model) return interactions

  await act(followed('Overview').click())
  await act(followed('Connect a model').click())
  await act(staff.getByLabel('Provider').selectOption('address'))
  await act(staff.getByLabel('Address', { exact: true }).fill(model.address))
  await act(staff.getByLabel('Name of the model').fill('town-1'))
  await act(button('Test').click())
  await staff.getByText('It answered after').waitFor()
  await look('model-tested')
  await act(button('Connect').click())
  await act(button('Connect', staff.getByRole('dialog')).click())
  await staff.getByText('town-1 answers.').waitFor()
  await look('model-connected')
  await askAsVisitor(visitor, chat, 'How do I get a passport?', model.says)
  return interactions
}

/** Asks as a visitor who is new, until the answer has a text. */
export async function askAsVisitor(visitor: Page, chat: string, question: string, answer: string): Promise<void> {
  await visitor.goto(chat)
  await visitor.reload()
  await visitor.getByRole('button', { name: /^Accept/ }).click()
  const composer = visitor.getByRole('textbox', { name: /^Message/ })
  await composer.fill(question)
  await composer.press('Enter')
  await visitor.locator('article.agent .prose').getByText(answer).waitFor()
}
