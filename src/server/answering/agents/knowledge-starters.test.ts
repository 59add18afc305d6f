import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Agents } from './agents.ts'

async function open(starters: string) {
  const directory = await mkdtemp(join(tmpdir(), 'starters-'))
  const knowledgeDirectory = await mkdtemp(join(tmpdir(), 'knowledge-'))
  await writeFile(join(directory, 'a.md'), `---\nname: A\ngreeting: Hello.\n${starters}\n---\nYou help.\n`)
  const write = (file: string, text: string) => writeFile(join(knowledgeDirectory, file), text)
  await write(
    'town.md',
    `# Town\n\n## Opening hours\n\nNine to five.\n\n## Where is the town hall?\n\nIn the square.\n\n## ${'x'.repeat(201)}?\n\nToo long.\n`,
  )
  const agents = await Agents.open({
    directory,
    knowledgeDirectory,
    model: { kind: 'builtin' },
    installation: { name: 'Town', retentionDays: 30, contact: null, storage: 'sqlite' },
  })
  onTestFinished(async () => {
    await agents.close()
    await Promise.all([directory, knowledgeDirectory].map((folder) => rm(folder, { recursive: true })))
  })
  return { agents, write }
}

test('an agent without starters uses those of its knowledge, questions first, and follows changes', async () => {
  const { agents, write } = await open('')
  expect(agents.first.starters).toEqual(['Where is the town hall?', 'Opening hours'])
  agents.watch()
  await write('tax.md', `# Tax\n\n${Array.from({ length: 9 }, (_, index) => `## What is tax ${index}?\n\nA tax.\n`).join('\n')}`)
  await expect.poll(() => agents.first.starters).toContain('What is tax 0?')
  expect(agents.first.starters.length).toBeLessThanOrEqual(4)
})

test('starters in the agent’s file take precedence', async () => {
  const { agents } = await open('starters: [Hello there]')
  expect(agents.first.starters).toEqual(['Hello there'])
})
