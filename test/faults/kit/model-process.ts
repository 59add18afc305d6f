import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { ModelOrder, ModelReport, Script } from '../../support/scripted-model.ts'

const FILE = join(import.meta.dirname, '../../support/scripted-model.ts')

export interface ModelProcess {
  /** For `OPENAI_BASE_URL`. */
  baseUrl: string
  pid: number
  /** Sets the script for prompts with this prefix. The latest match wins. */
  script(beginning: string, script: Script): Promise<void>
  /** The prompts that the model received. */
  prompts(): Promise<string[]>
  close(): Promise<void>
}

/** The scripted model in a child process, which can be suspended. */
export async function startModelProcess(): Promise<ModelProcess> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', FILE], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    serialization: 'advanced',
  })
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
  let last: Promise<unknown> = Promise.resolve()
  // One at a time, because reports carry no id.
  const order = (wanted: ModelOrder): Promise<ModelReport> => {
    const answer = last.then(() => give(child, wanted))
    last = answer
    return answer
  }
  return {
    baseUrl: line.toString().trim(),
    pid: child.pid ?? 0,
    async script(beginning, script) {
      await order({ beginning, script })
    },
    prompts: async () => (await order({ report: true })).prompts,
    async close() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function give(child: ChildProcess, order: ModelOrder): Promise<ModelReport> {
  const answered = once(child, 'message') as Promise<[ModelReport]>
  child.send(order)
  const [report] = await answered
  return report
}
