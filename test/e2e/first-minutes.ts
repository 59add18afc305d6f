import type { Locator, Page } from 'playwright-core'
import type { Look } from './tour.ts'

/** How somebody operates the page. */
export interface Hand {
  press(target: Locator): Promise<void>
  type(target: Locator, text: string): Promise<void>
  choose(target: Locator, value: string): Promise<unknown>
  attach(target: Locator, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void>
}

const MOUSE: Hand = {
  press: (target) => target.click(),
  type: (target, text) => target.fill(text),
  choose: (target, value) => target.selectOption(value),
  attach: (target, file) => target.setInputFiles([file]),
}

interface FirstMinutes {
  staff: Page
  visitor: Page
  /** The link that the server prints. */
  link: string
  chat: string
  look: Look
  hand?: Hand
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
export async function walkFirstMinutes({ staff, visitor, link, chat, look, website, model, hand = MOUSE }: FirstMinutes): Promise<number> {
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
  await act(hand.press(button('Add a passkey')))
  await staff.getByText('First steps: 0 of 5 done').waitFor()
  await look('overview-empty')

  await act(hand.press(followed('Add a document or a website')))
  if (website) {
    await act(hand.press(followed('Websites')))
    await act(hand.type(staff.getByRole('textbox', { name: 'Web address' }), website))
    await act(hand.press(button('Add a website')))
  } else {
    const file = {
      name: 'pool.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from('# Pool\n\n## Opening hours\n\nThe pool opens at nine.\n'),
    }
    await act(hand.attach(staff.getByLabel('Add documents', { exact: true }), file))
  }
  await button('Ask about it').waitFor()
  await look('document-added')
  await act(hand.press(button('Ask about it')))

  const question = panel.getByRole('textbox', { name: 'Question' })
  await act(hand.type(question, QUESTION))
  await act(question.press('Enter'))
  await panel.getByText('What was searched').waitFor()
  await act(hand.press(panel.getByText('What was searched')))
  await look('asked')
  await act(hand.press(followed('Questions')))
  await staff.getByRole('heading', { name: QUESTION }).waitFor()
  await staff.getByTitle('Needs attention (1)').getByText('Questions').waitFor()
  await look('questions')

  await act(hand.press(followed('Write the answer')))
  await act(
    hand.type(staff.getByRole('textbox', { name: 'Answer', exact: true }), 'Parrots are welcome in the **garden**, but not in the water.'),
  )
  await act(hand.type(staff.getByRole('textbox', { name: 'Source', exact: true }), 'House rules'))
  await look('answer')
  await act(hand.press(button('Publish')))
  await act(hand.press(button('Ask it now')))
  await panel.getByText('Parrots are welcome').waitFor()
  await look('published')
  await act(hand.press(followed('Questions')))
  await staff.getByText('Not enough visitors yet').waitFor()
  await staff.getByRole('heading', { name: QUESTION }).waitFor({ state: 'detached' })

  await askAsVisitor(visitor, chat, QUESTION, 'Parrots are welcome')
  if (!model) return interactions

  await act(hand.press(followed('Overview')))
  await act(hand.press(followed('Connect a model')))
  await act(hand.choose(staff.getByLabel('Provider'), 'address'))
  await act(hand.type(staff.getByLabel('Address', { exact: true }), model.address))
  await act(hand.type(staff.getByLabel('Name of the model'), 'town-1'))
  await act(hand.press(button('Test')))
  await staff.getByText('It answered after').waitFor()
  await look('model-tested')
  await act(hand.press(button('Connect')))
  await act(hand.press(button('Connect', staff.getByRole('dialog'))))
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
