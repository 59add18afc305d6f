import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { withConstants } from '../../scripts/constants.mjs'
import { openStage, type Stage } from './stage.ts'

const SHOP = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/orders/{tea}': {
      post: { operationId: 'order', parameters: [{ name: 'tea', in: 'path', required: true, schema: { type: 'string' } }] },
    },
  },
}

const ASSISTANT = `---
name: Assistant
greeting: Good to see you. What would you like to know?
starters: [What can you do?, What is 15% of 240?, How long are my chats kept?]
tools: [calculator, search_knowledge]
http: [shop]
---
You are the assistant of a tea shop.
`
const COOK = `---
name: Cook
greeting: What shall we eat today?
starters: [A soup for four, Something without an oven]
---
You cook.
`

/** A stage that reaches every screen: several agents, a tool with approval, one answer at a time. */
export async function openTourStage(browser: Browser): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'tour-'))
  const shop = createServer((_request, response) => void response.setHeader('content-type', 'application/json').end('{"order":"T-204"}'))
  await once(shop.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
  writeFileSync(join(folder, 'shop.json'), JSON.stringify(SHOP))
  writeFileSync(
    join(folder, 'http-tools.json'),
    JSON.stringify({ httpTools: { shop: { openapi: './shop.json', url, operations: ['order'], approval: true } } }),
  )
  writeFileSync(join(folder, 'assistant.md'), ASSISTANT)
  writeFileSync(join(folder, 'cook.md'), COOK)
  const stage = await openStage(browser, {
    AGENTS_DIR: folder,
    TOOLS_DIR: folder,
    LIMIT_PROMPTS_PER_DAY: '200',
    VOICE_INPUT: 'on',
    MODEL_IMAGES: 'yes',
    MAX_RUNNING_TURNS: '1',
    CONTACT: 'desk@library.example',
    ...withConstants({ waitingPrompts: 0 }),
  })
  return {
    ...stage,
    async close() {
      await stage.close()
      shop.close()
      rmSync(folder, { recursive: true })
    },
  }
}
