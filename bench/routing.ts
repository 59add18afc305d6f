import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RecordedRequest, type Script, startScriptedModel } from '../test/support/scripted-model.ts'
import { relativeTo, type Figure, milliseconds } from './support/measurement.ts'
import { withProcesses } from './support/processes.ts'

const ROUNDS = 20
const CALL_MS = 400
/** Two answers of the same calls differ by less. */
const ALLOWED = 1.1
const POLICY = 'policy:\n  routing: model\n  routes: [{ id: complaint, reply: Call us., examples: [I want to complain] }]\n'

/**
 * Time to the first words with and without routing by the model, where each call of the model takes 400 ms: of answers that search, and of
 * others.
 */
export const routing: Figure = {
  name: 'routing',
  measure: () =>
    withProcesses(async (processes) => {
      const folder = processes.folder()
      mkdirSync(join(folder, 'knowledge'))
      writeFileSync(join(folder, 'knowledge', 'parking.md'), '# Parking\n\nA parking permit costs 30 euros.\n')
      for (const [id, policy] of [['plain', ''] as const, ['routed', POLICY] as const])
        writeFileSync(join(folder, `${id}.md`), `---\nname: ${id}\ngreeting: Hello.\n${policy}---\nYou are ${id}.\n`)
      const model = await startScriptedModel()
      model.script(scriptOf)
      const settings = { AGENTS_DIR: folder, KNOWLEDGE_DIR: join(folder, 'knowledge'), OPENAI_BASE_URL: model.baseUrl, MODEL: 'm' }
      const { url } = await processes.parley({ dataDirectory: processes.folder(), settings })
      try {
        const measured = await Promise.all(
          ['Search: what does a permit cost?', 'Say hello.'].map(async (prompt) => ({ prompt, ...(await pairsOf(url, prompt)) })),
        )
        return measured.map(({ prompt, plain, routed }) =>
          relativeTo(
            `first words with routing by the model, ${prompt.startsWith('Search') ? 'an answer that searches' : 'another'}`,
            routed,
            { name: 'without', value: plain },
            milliseconds,
            ALLOWED,
          ),
        )
      } finally {
        await model.close()
      }
    }),
}

function scriptOf({ body, prompt }: RecordedRequest): Script {
  const messages = JSON.stringify(body.messages)
  const said = messages.includes('You sort the messages')
    ? { text: '{"verdict": "none"}' }
    : prompt.startsWith('Search') && !messages.includes('"role":"tool"')
      ? { toolCall: { name: 'search_knowledge', arguments: { query: 'parking permit' } } }
      : { text: 'Here you are.' }
  return [{ pauseMs: CALL_MS }, said]
}

/** Medians of rounds that ask both agents, in alternating order. */
async function pairsOf(url: string, prompt: string): Promise<{ plain: number; routed: number }> {
  const times = { plain: [] as number[], routed: [] as number[] }
  for (let round = 0; round < ROUNDS; round += 1) {
    const order = round % 2 === 0 ? (['plain', 'routed'] as const) : (['routed', 'plain'] as const)
    for (const agent of order) times[agent].push(await firstWordsMs(`${url}/api/v1/agent/chat/${agent}`, prompt))
  }
  return { plain: median(times.plain), routed: median(times.routed) }
}

async function firstWordsMs(address: string, prompt: string): Promise<number> {
  const startedAt = performance.now()
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' }
  const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify({ prompt }) })
  let text = ''
  let tookMs = Number.NaN
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    text += piece
    if (Number.isNaN(tookMs) && text.includes('"type":"text-delta"')) tookMs = performance.now() - startedAt
  }
  if (Number.isNaN(tookMs)) throw new Error(`No words in: ${text.slice(0, 500)}`)
  return tookMs
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}
