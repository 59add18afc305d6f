import type { Page } from 'playwright-core'
import { type Citation, citationMetadata } from '../../src/contract/chat/citation.ts'

export interface CitedSource extends Partial<Citation> {
  title: string
  file?: string
}

/** Imports and opens a chat with numbered sources, whose fields may be hostile. */
export async function openCitedChat(page: Page, text: string, sources: CitedSource[], title = 'Cited'): Promise<void> {
  const at = new Date().toISOString()
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
    { role: 'user', createdAt: at, parts: [{ type: 'text', text: title }] },
    { role: 'assistant', createdAt: at, parts: answer },
  ]
  const chats = [{ title, agent: 'assistant', createdAt: at, updatedAt: at, messages }]
  const body = JSON.stringify({ format: 'parley-export', version: 1, exportedAt: at, installation: 'test', chats })
  await page.evaluate(async (document) => {
    const reply = await fetch('/api/v1/me/import', { method: 'POST', headers: { 'content-type': 'application/json' }, body: document })
    if (!reply.ok) throw new Error(`Importing answered ${reply.status}: ${await reply.text()}`)
    const { sessions } = (await reply.json()) as { sessions: string[] }
    location.hash = `#/chat?session=${sessions[0]}`
  }, body)
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
