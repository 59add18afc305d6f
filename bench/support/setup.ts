import { Client } from './client-jobs.ts'
import { type Processes, type Running, withProcesses } from './processes.ts'
import { modelTarget, parleyTarget, type Target } from './target.ts'

/** The model, and Parley in front of it, each in its own process, and the client that sends requests to both. */
export interface Setup {
  processes: Processes
  client: Client
  parley: Running
  /** The model's origin. */
  origin: string
  /** The model directly, and through Parley. */
  targets: [straight: Target, throughParley: Target]
}

/** Arguments for the model as in `test/support/scripted-model.ts`. */
export function withSetup<Result>(modelArguments: string[], use: (setup: Setup) => Promise<Result>): Promise<Result> {
  return withProcesses(async (processes) => {
    const model = await processes.model(modelArguments)
    const { origin } = new URL(model.url)
    const parley = await processes.parley({ settings: settingsFor(model), dataDirectory: processes.folder() })
    const targets: Setup['targets'] = [modelTarget('model', origin), parleyTarget('Parley', parley.url)]
    return use({ processes, client: new Client(processes), parley, origin, targets })
  })
}

/** Settings that connect Parley to the scripted model. */
export function settingsFor(model: Running): Record<string, string> {
  return { OPENAI_BASE_URL: model.url, MODEL: 'scripted' }
}

export async function parleyWithModel(processes: Processes, modelArguments: string[] = []): Promise<Running> {
  const model = await processes.model(modelArguments)
  return processes.parley({ settings: settingsFor(model), dataDirectory: processes.folder() })
}
