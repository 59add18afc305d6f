import type { Page } from 'playwright-core'
import { type Citation, citationMetadata } from '../../src/contract/chat/citation.ts'
import { seedChatsOfPage } from '../support/seeded-chats.ts'
import type { TestServer } from '../support/server.ts'

export interface CitedSource extends Partial<Citation> {
  title: string
  file?: string
}

/** Seeds and opens a chat with numbered sources, whose fields may be hostile. */
export async function openCitedChat(server: TestServer, page: Page, text: string, sources: CitedSource[], title = 'Cited'): Promise<void> {
  const answer = [
    ...sources.map(({ title: name, file = 'returns.html', ...citation }, index) => ({
      type: 'source-document',
      sourceId: `${index + 1}`,
      mediaType: 'text/html',
      title: name,
      filename: file,
      providerMetadata: citationMetadata({ breadcrumb: '', quote: '', asOf: null, address: null, ...citation }),
    })),
    { type: 'text', text },
  ]
  const messages = [
    { role: 'user' as const, parts: [{ type: 'text', text: title }] },
    { role: 'assistant' as const, parts: answer },
  ]
  const [key = ''] = await seedChatsOfPage(server, page, [{ title, messages }])
  await page.evaluate((session) => {
    location.hash = `#/chat?session=${session}`
  }, key)
  await page.locator('article.agent').waitFor()
}

export const RETURNS: CitedSource[] = [
  {
    title: 'Returns and refunds',
    breadcrumb: 'Returns and refunds › Goods › Time limits',
    quote: 'You have **30 days** from delivery to return what you bought. Opened goods can be returned if they are faulty.',
    asOf: '2026-11-22',
    address: 'https://shop.example/returns',
  },
  {
    title: 'Returns and refunds',
    breadcrumb: 'Returns and refunds › Refunds',
    quote: 'Refunds are paid within five working days.',
    asOf: '2026-11-20',
    address: 'https://shop.example/returns#refunds',
  },
  {
    title: 'Terms of sale, page 3',
    breadcrumb: 'Terms of sale › General',
    quote: 'These terms apply to everything that you buy from us.',
    place: 'page 3',
    file: 'terms-of-sale.pdf',
  },
]
