// `npm run eval` asks the configured model every case of eval/cases.yaml, `npm run eval -- file.yaml` those of another file. Ends with 1 when an answer is wrong.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { MessageBuilder } from '../src/contract/message-builder.ts'
import type { ChatMessage } from '../src/contract/message.ts'
import type { Agent } from '../src/server/agent/agent.ts'
import { Agents } from '../src/server/agent/agents.ts'
import type { LocalRuntime } from '../src/server/agent/model/local/local-runtime.ts'
import { startLocalModel } from '../src/server/agent/model/local/start-local-model.ts'
import { readSettings } from '../src/server/config.ts'
import { localRuntimePlace } from '../src/server/local-runtime/model-supervisor.ts'
import { type Case, readCases } from './cases.ts'
import { judge } from './judge.ts'

/** Widths of the table. */
const PROMPT_CHARACTERS = 50
const VERDICT_CHARACTERS = 9
/** A local model may have to be fetched first. */
const LOOK_AGAIN_MS = 1_000
const LIBRARY_DIRECTORY = join(import.meta.dirname, '../.runtime/local-model')

const [file = join(import.meta.dirname, 'cases.yaml')] = process.argv.slice(2)
const cases = readCases(readFileSync(file, 'utf8'))
const settings = readSettings()
const onWarning = (message: string) => process.stderr.write(`${message}\n`)
const local = await startLocalModel({ ...settings, fallback: null }, localRuntimePlace(settings, LIBRARY_DIRECTORY), onWarning)
const agents = await openAgents()
if (local) await untilReady(local)
process.stdout.write(`${cases.length} cases, ${agents.first.model.label}\n\n${row('prompt', 'verdict', 'seconds', 'why')}\n`)
let right = 0
for (const one of cases) {
  const startedAt = performance.now()
  const faults = await faultsOf(one)
  if (faults.length === 0) right += 1
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  process.stdout.write(`${row(one.prompt, faults.length === 0 ? 'right' : 'WRONG', seconds, faults.join('; '))}\n`)
}
process.stdout.write(`\n${right} of ${cases.length} right\n`)
await agents.close()
await local?.close()
process.exitCode = right === cases.length ? 0 : 1

async function untilReady(runtime: LocalRuntime): Promise<void> {
  let said: string | null = null
  while (runtime.problem !== null) {
    if (runtime.problem !== said) process.stderr.write(`${runtime.problem}\n`)
    said = runtime.problem
    await pause(LOOK_AGAIN_MS)
  }
}

async function openAgents(): Promise<Agents> {
  const { name, retentionDays, contact, database, model, agentsDirectory, knowledgeDirectory, knowledgeLanguages } = settings
  return Agents.open({
    directory: agentsDirectory,
    knowledgeDirectory,
    languages: knowledgeLanguages,
    model,
    local,
    installation: { name, retentionDays, contact, storage: database.kind },
    onWarning,
  })
}

async function faultsOf(one: Case): Promise<string[]> {
  const agent = one.agent === undefined ? agents.first : agents.find(one.agent)
  if (!agent) return [`there is no agent ${one.agent}`]
  try {
    return judge(one, await answerOf(agent, one.prompt))
  } catch (error) {
    return [`failed: ${error instanceof Error ? error.message : String(error)}`]
  }
}

async function answerOf(agent: Agent, prompt: string): Promise<ChatMessage> {
  const builder = new MessageBuilder('answer')
  const messages: ChatMessage[] = [{ id: 'prompt', role: 'user', parts: [{ type: 'text', text: prompt }] }]
  for await (const chunk of agent.run({ messages, signal: new AbortController().signal })) builder.apply(chunk)
  return builder.finished()
}

function row(prompt: string, verdict: string, seconds: string, why: string): string {
  const cut = prompt.length > PROMPT_CHARACTERS ? `${prompt.slice(0, PROMPT_CHARACTERS - 1)}…` : prompt
  return `${cut.padEnd(PROMPT_CHARACTERS)}  ${verdict.padEnd(VERDICT_CHARACTERS)}${seconds.padStart('seconds'.length)}  ${why}`.trimEnd()
}
