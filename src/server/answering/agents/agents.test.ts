import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { PAGE_LANGUAGES } from '../../../contract/page-languages.ts'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { readFrontMatter } from '../../replies/front-matter.ts'
import { PolicyHeader } from '../../replies/policy.ts'
import type { ModelSettings } from './agent.ts'
import { Agents, type AgentsOptions, NoAgentError } from './agents.ts'
import { AgentHeader } from './definition/agent-definition.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const PROVIDER: ModelSettings = { kind: 'openai-compatible', baseUrl: 'http://localhost:1/v1', apiKey: undefined, model: 'large' }

let directory: string
let warnings: string[]
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'agents-'))
  warnings = []
})
afterEach(() => rm(directory, { recursive: true }))

/** Options of agents, by default in the test's own folder. */
function options(given: Partial<Pick<AgentsOptions, 'directory' | 'model' | 'lacksPrice'>> = {}) {
  return {
    directory,
    knowledgeDirectory: join(ROOT, 'knowledge'),
    model: { kind: 'builtin' } as const,
    installation: { name: 'Parley', retentionDays: 30, contact: null, storage: 'sqlite' } as const,
    onWarning: (message: string) => warnings.push(message),
    ...given,
  }
}

async function open(given?: Parameters<typeof options>[0]): Promise<Agents> {
  const agents = await Agents.open(options(given))
  onTestFinished(() => agents.close())
  return agents
}

const problemsOf = (agents: Agents): string[] => Object.values(agents.problemsByArea).flat()
const write = (file: string, text: string) => writeFile(join(directory, file), text)
const agentFile = (keys: string, body = 'You help.') => `---\nname: Helper\ngreeting: Hello.\n${keys}\n---\n${body}\n`

describe('agents in files', () => {
  test('the shipped agent has every key and no mistake', async () => {
    const front = readFrontMatter(await readFile(join(ROOT, 'agents/assistant.md'), 'utf8'))
    const { policy, ...header } = (front.kind === 'read' ? front.value : {}) as Record<string, object>
    expect(Object.keys({ ...header, policy }).toSorted()).toEqual(Object.keys(AgentHeader.shape).toSorted())
    expect(Object.keys(policy ?? {}).toSorted()).toEqual([...Object.keys(PolicyHeader.shape), 'routes'].toSorted())
    const agents = await open({ directory: join(ROOT, 'agents') })
    expect(problemsOf(agents)).toEqual([])
    expect(agents.all).toHaveLength(1)
    expect(agents.first).toMatchObject({ id: 'assistant', name: 'Assistant', picture: null, model: { label: 'Built-in assistant' } })
    expect(agents.first.greeting).toBe('Hi, how can I help?')
    expect(agents.first.starters).toHaveLength(4)
  })

  test('the shipped agent has texts in every language of the page', async () => {
    const { first } = await open({ directory: join(ROOT, 'agents') })
    const texts = PAGE_LANGUAGES.map((language) => first.textsIn(language))
    expect(new Set(texts.map(({ greeting }) => greeting)).size).toBe(PAGE_LANGUAGES.length)
    expect(texts.filter(({ starters }) => starters.length === 0)).toEqual([])
    expect(first.textsIn('zh')).toMatchObject({ name: '助手', greeting: '您好，有什么可以帮您？' })
  })

  test('a file that names a removed tool is read without it, with a warning', async () => {
    await write('a.md', agentFile('tools:\n  - calculator\n  - web_search\napproval: [convert_units]'))
    const agents = await open()
    expect(agents.all.map(({ id }) => id)).toEqual(['a'])
    expect(problemsOf(agents)).toEqual([
      'agents/a.md, line 6: tools: the tool "web_search" was removed from Parley; it is left out',
      'agents/a.md, line 7: approval: the tool "convert_units" was removed from Parley; it is left out',
    ])
  })

  test('uses the texts of the language, and the general ones for those it lacks', async () => {
    const languages =
      'starters: [Help]\nlanguages:\n  de:\n    greeting: Hallo von {{name}}.\n    starters: [Hilfe]\n  fr:\n    name: Aide\n  it:'
    await write('a.md', agentFile(languages))
    const { first } = await open()
    const original = { name: 'Helper', greeting: 'Hello.', starters: ['Help'] }
    expect(first.textsIn('de')).toEqual({ name: 'Helper', greeting: 'Hallo von Parley.', starters: ['Hilfe'] })
    expect(first.textsIn('fr')).toEqual({ ...original, name: 'Aide' })
    for (const language of [undefined, 'it', 'es', 'constructor']) expect(first.textsIn(language)).toEqual(original)
  })

  test('needs no more than a name, with which it greets', async () => {
    await write('a.md', '---\nname: Helper\n---\nYou help.\n')
    const { first } = await open()
    expect(first.textsIn('de')).toMatchObject({ name: 'Helper', greeting: 'Helper' })
  })

  test('the default agent comes first, the others by file name, which is the default id', async () => {
    await write('zebra.md', agentFile(''))
    await write('b.md', agentFile('id: assistant'))
    await write('Apple.md', agentFile(''))
    expect((await open()).all.map(({ id }) => id)).toEqual(['assistant', 'apple', 'zebra'])
  })

  test('an agent has the picture of its file', async () => {
    await writeFile(join(directory, 'face.png'), Buffer.from('picture'))
    await write('a.md', agentFile('picture: face.png'))
    expect((await open()).first.picture).toBe(`data:image/png;base64,${Buffer.from('picture').toString('base64')}`)
  })

  test('an agent’s own model needs a price if there is a budget', async () => {
    await write('a.md', agentFile('model: small'))
    await write('b.md', agentFile('model: dear'))
    const agents = await open({ model: PROVIDER, lacksPrice: (model) => model === 'dear' })
    expect(agents.all.map((agent) => agent.modelOf('primary').name)).toEqual(['small'])
    expect(problemsOf(agents)).toEqual(['agents/b.md, line 4: model: PRICES has no price of "dear", and a budget needs it'])
  })

  test("an agent's own model is of the same provider or the built-in one", async () => {
    await write('a.md', agentFile('model: small'))
    await write('b.md', agentFile('model: builtin'))
    await write('c.md', agentFile('model:'))
    const { all } = await open({ model: PROVIDER })
    expect(all.map(({ model }) => model)).toEqual([
      { label: 'small', provider: 'localhost:1', acceptedFiles: 'text' },
      { label: 'Built-in assistant', provider: null, acceptedFiles: 'none' },
      { label: 'large', provider: 'localhost:1', acceptedFiles: 'text' },
    ])
  })
})

describe('mistakes', () => {
  test.each<[string, string, RegExp]>([
    ['no front matter', 'You help.', /line 1: must begin with front matter/],
    ['YAML that is none', '---\nname: [a\ngreeting: x\n---\nBody', /line [234]: is not YAML/],
    ['a key twice', agentFile('name: Other'), /line 4: is not YAML: Map keys must be unique/],
    ['aliases', agentFile('starters: &a [x]\nknowledge: *a'), /may not use aliases/],
    ['an unknown key', agentFile('colour: red'), /line 4: colour is no key of an agent/],
    ['an unknown limit', agentFile('limits:\n  steps: 3\n  speed: 9'), /line 6: limits\.speed is no key/],
    ['an unknown language', agentFile('languages:\n  nl:\n    name: Hulp'), /line 5: languages\.nl is not one of en, ar, de/],
    [
      'an unknown text of a language',
      agentFile('languages:\n  de:\n    motto: Hallo'),
      /line 6: languages\.de\.motto is no key of an agent/,
    ],
    [
      'too many starters of a language',
      agentFile('languages:\n  de:\n    starters: [a, b, c, d, e, f, g]'),
      /line 6: languages\.de\.starters/,
    ],
    ['a wrong type', agentFile('starters: no list'), /line 4: starters/],
    ['a limit out of bounds', agentFile('limits:\n  steps: 1000'), /line 5: limits\.steps/],
    ['an unknown effort', agentFile('reasoningEffort: huge'), /line 4: reasoningEffort must be one of none, minimal, low/],
    ['a missing name', '---\ngreeting: Hello.\n---\nYou help.', /line \d+: name/],
    ['an id that is the visitor', agentFile('id: me'), /line 4: id must not be "me"/],
    ['an unknown tool', agentFile('tools:\n  - calculator\n  - rocket'), /line 6: tools: "rocket" is not one of calculator/],
    ['a folder outside', agentFile('knowledge: [../../etc]'), /line 4: knowledge/],
    ['a picture that is not there', agentFile('picture: no.png'), /line 4: picture names no file/],
    ['a model without a provider', agentFile('model: gpt'), /line 4: model can only be builtin/],
    ['an unknown placeholder', agentFile('', 'You help.\nIt costs {{price}}.'), /line 7: \{\{price\}\} is not one of name/],
    ['no instruction', agentFile('', ''), /line 5: has no instruction/],
  ])("of %s are reported with file and line and don't affect other agents", async (_, text, mistake) => {
    await write('good.md', agentFile(''))
    await write('bad.md', text)
    const agents = await open()
    expect(agents.all.map(({ id }) => id)).toEqual(['good'])
    expect(problemsOf(agents).join('\n')).toMatch(mistake)
    expect(problemsOf(agents).every((problem) => problem.startsWith('agents/bad.md, line '))).toBe(true)
    expect(warnings).toEqual(problemsOf(agents))
  })

  test('keys and choices of earlier releases are left out with a warning', async () => {
    await write('a.md', agentFile('models: { fast: small, thorough: dear }\nchoices: [instructions, simpler, web_search]'))
    const agents = await open({ model: PROVIDER })
    expect(agents.first.choices).toEqual(['simpler'])
    expect(agents.first.model.label).toBe('large')
    expect(problemsOf(agents)).toEqual([
      'agents/a.md, line 4: models was removed: name one model as `model`; it is left out',
      'agents/a.md, line 5: choices: "instructions" was removed; it is left out',
      'agents/a.md, line 5: choices: "web_search" was removed; it is left out',
    ])
  })

  test('a duplicate id is rejected', async () => {
    await write('a.md', agentFile('id: same'))
    await write('b.md', agentFile('id: same'))
    const agents = await open()
    expect(agents.all).toHaveLength(1)
    expect(problemsOf(agents)).toEqual(['agents/b.md, line 1: id "same" is that of a.md already'])
  })

  test('startup fails without a valid file, and names the mistake', async () => {
    await write('bad.md', 'You help.')
    await expect(Agents.open(options())).rejects.toThrow(NoAgentError)
    await expect(Agents.open(options())).rejects.toThrow('agents/bad.md, line 1')
    await expect(Agents.open(options({ directory: join(directory, 'none') }))).rejects.toThrow(NoAgentError)
  })
})

describe('changes', () => {
  test('are applied; an invalid file keeps its agent’s last valid version', async () => {
    await write('a.md', agentFile(''))
    const agents = await open()
    await write('a.md', agentFile('starters: [One]'))
    await write('b.md', agentFile(''))
    await agents.reload()
    expect(agents.find('a')?.starters).toEqual(['One'])
    const untouched = agents.find('b')
    await write('a.md', agentFile('starters: 3'))
    await agents.reload()
    expect(agents.find('a')?.starters).toEqual(['One'])
    expect(problemsOf(agents)).toEqual([expect.stringMatching(/^agents\/a\.md, line 4: starters/)])
    await write('a.md', agentFile('starters: [Two]'))
    await agents.reload()
    expect(agents.find('a')?.starters).toEqual(['Two'])
    expect(problemsOf(agents)).toEqual([])
    expect(agents.find('b')).toBe(untouched)
    await rm(join(directory, 'b.md'))
    await agents.reload()
    expect(agents.find('b')).toBeUndefined()
  })

  test('are detected', async () => {
    await write('a.md', agentFile(''))
    const agents = await open()
    agents.watch()
    await write('.a.md.swp', agentFile('starters: [Soon]'))
    await rename(join(directory, '.a.md.swp'), join(directory, 'a.md'))
    await expect.poll(() => agents.first.starters).toEqual(['Soon'])
  })

  test('that leave no agent keep the previous ones', async () => {
    await write('a.md', agentFile(''))
    const agents = await open()
    await rm(join(directory, 'a.md'))
    await agents.reload()
    expect(agents.first.id).toBe('a')
  })
})
