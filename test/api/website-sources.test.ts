import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { SERVER_ARGUMENTS } from '../../scripts/server-command.mjs'
import { readinessDetails } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { sitePage, startWebsite, type Website } from '../support/website.ts'

const METRICS_TOKEN = 'mR7-tq2-Lw9-pX4-zB8'
const SUBJECTS = ['parking', 'passports', 'library', 'waste', 'marriage', 'dogs', 'swimming']
const question = (subject: string) => `How much is the fee for ${subject}?`
const page = (subject: string, fee: string) =>
  sitePage(subject).replace('</main>', `<h2>${question(subject)}</h2><p>The fee for ${subject} is ${fee}.</p></main>`)

describe.each(DATABASES)('a website as knowledge on %s', (database) => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-website-'))
  let site: Website
  let server: TestServer | undefined
  beforeEach(async () => {
    site = await startWebsite()
    for (const subject of SUBJECTS) site.pages.set(`/${subject}`, page(subject, `${subject.length} euros`))
    site.list(SUBJECTS.map((subject) => `/${subject}`))
    mkdirSync(join(directory, 'knowledge'))
    mkdirSync(join(directory, 'agents'))
    writeFileSync(join(directory, 'agents/assistant.md'), '---\nname: Town\ngreeting: Hello.\nknowledge: ["source:town"]\n---\nAnswer.\n')
    writeFileSync(
      join(directory, 'agents/other.md'),
      '---\nid: other\nname: Other\ngreeting: Hello.\nknowledge: ["handbook"]\n---\nAnswer.\n',
    )
    write(`    website: ${site.url}/sitemap.xml\n    network: private\n    delay: 0\n`)
    return async () => {
      await server?.stop()
      server = undefined
      await site.close()
      for (const name of readdirSync(directory)) rmSync(join(directory, name), { recursive: true })
    }
  })

  const write = (keys: string) => writeFileSync(join(directory, 'knowledge/sources.yaml'), `sources:\n  - id: town\n${keys}`)
  const start = async () => {
    const env = { AGENTS_DIR: join(directory, 'agents'), KNOWLEDGE_DIR: join(directory, 'knowledge'), METRICS_TOKEN }
    return (server = await startServer({ database, env }))
  }

  async function answerTo({ url }: TestServer, subject: string, agent = 'assistant'): Promise<{ response: string; sources: object[] }> {
    const response = await fetch(`${url}/api/v1/agent/chat/${agent}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: question(subject) }),
    })
    return (await response.json()) as { response: string; sources: object[] }
  }

  async function command(started: TestServer, ...args: string[]): Promise<{ code: number; output: string }> {
    const child = spawn(process.execPath, [...SERVER_ARGUMENTS, 'knowledge', ...args], { env: started.env })
    let output = ''
    child.stdout.on('data', (chunk) => (output += String(chunk)))
    child.stderr.on('data', (chunk) => (output += String(chunk)))
    const [code] = (await once(child, 'close')) as [number]
    return { code, output }
  }

  /** Pages answer while the first run goes on. */
  const firstRunEnded = (started: TestServer) =>
    eventually(async () => expect((await command(started, 'status')).output).toContain('town: done: 7 pages answer'))

  test('is answered from with the page as source, only by agents that name it, and follows the site', async () => {
    const started = await start()
    const answer = await eventually(async () => {
      const found = await answerTo(started, 'parking')
      expect(found.response).toContain('7 euros')
      return found
    })
    expect(JSON.stringify(answer.sources)).toContain(`${site.url}/parking`)
    expect((await answerTo(started, 'parking', 'other')).response).not.toContain('7 euros')
    await firstRunEnded(started)
    // The page about dogs is gone, and that about parking costs more.
    site.pages.set('/parking', page('parking', '99 euros'))
    const synced = await command(started, 'sync', 'town')
    expect(synced).toMatchObject({ code: 0, output: expect.stringContaining('1 changed') })
    await eventually(async () => expect((await answerTo(started, 'parking')).response).toContain('99 euros'))
    site.pages.delete('/dogs')
    await command(started, 'sync', 'town')
    await eventually(async () => expect((await answerTo(started, 'dogs')).response).not.toContain('4 euros'))
  })

  test.skipIf(database === 'postgres')('goes on where it was after a crash once asked, and tells staff what is wrong', async () => {
    const reached = Promise.withResolvers<void>()
    site.pages.set('/marriage', () => reached.resolve())
    const started = await start()
    await reached.promise
    await started.kill('SIGKILL')
    site.pages.set('/marriage', page('marriage', '8 euros'))
    await started.restart()
    // The website may have ended the server.
    await eventually(async () =>
      expect((await readinessDetails(started, METRICS_TOKEN)).join('\n')).toContain(
        'is not started again by itself: parley knowledge sync town',
      ),
    )
    expect(await command(started, 'sync', 'town')).toMatchObject({ code: 0 })
    await eventually(async () => expect((await answerTo(started, 'marriage')).response).toContain('8 euros'))
    await firstRunEnded(started)
    // A fifth of the site becomes the same error page.
    for (const subject of SUBJECTS.slice(0, 2)) site.pages.set(`/${subject}`, '<title>Error 500</title><p>Something went wrong.</p>')
    expect((await command(started, 'sync', 'town')).code).toBe(1)
    await eventually(async () =>
      expect((await readinessDetails(started, METRICS_TOKEN)).join('\n')).toContain('parley knowledge accept town'),
    )
    expect((await answerTo(started, 'parking')).response).toContain('7 euros')
    // A mistake in the file is named, and the source is left as it was.
    write('    website: nowhere\n')
    await eventually(async () =>
      expect((await readinessDetails(started, METRICS_TOKEN)).join('\n')).toContain('sources.yaml, line 2: website'),
    )
  })
})
