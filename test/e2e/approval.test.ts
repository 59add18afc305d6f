import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { obey } from '../support/obedient-model.ts'
import { openStage, type Stage } from './stage.ts'

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/orders/{tea}': {
      post: { operationId: 'order', parameters: [{ name: 'tea', in: 'path', required: true, schema: { type: 'string' } }] },
    },
  },
}

const directory = mkdtempSync(join(tmpdir(), 'approval-page-'))
const ordered: string[] = []
const shop = createServer((request, response) => {
  ordered.push(request.url ?? '')
  response.setHeader('content-type', 'application/json').end('{"state":"on its way"}')
})
let stage: Stage
beforeAll(async () => {
  await once(shop.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
  writeFileSync(join(directory, 'shop.json'), JSON.stringify(DOCUMENT))
  const httpTools = { shop: { openapi: './shop.json', url, operations: ['order'], approval: true } }
  writeFileSync(join(directory, 'http-tools.json'), JSON.stringify({ httpTools }))
  writeFileSync(join(directory, 'assistant.md'), '---\nname: Anna\ngreeting: Hello.\nhttp: [shop]\n---\nYou are Anna.\n')
  stage = await openStage(await launchBrowser(), { AGENTS_DIR: directory, TOOLS_DIR: directory })
  stage.model.script(obey)
})
afterAll(async () => {
  await stage.close()
  shop.close()
  rmSync(directory, { recursive: true })
})

test('a tool that requires approval shows what it would send, survives a reload, and runs only when allowed', async () => {
  const visitor = await stage.visitor()
  const { page } = visitor
  await visitor.enter()
  await visitor.send('use shop_order {"tea":"green"}')
  const request = page.getByRole('region', { name: 'Permission required' })
  await request.getByText('"tea": "green"').waitFor()
  await page.reload()
  await request.getByRole('button', { name: 'Don’t allow' }).click()
  await page.getByText('did not allow').first().waitFor()
  expect(ordered).toEqual([])
  await visitor.send('use shop_order {"tea":"black"}')
  await request.getByRole('button', { name: 'Allow', exact: true }).click()
  await page.locator('article.agent p', { hasText: 'on its way' }).waitFor()
  expect(ordered).toEqual(['/orders/black'])
  await expect.poll(() => request.count()).toBe(0)
  expect(visitor.faults).toEqual([])
  await visitor.leave()
})
