import { Client } from './client-jobs.ts'
import { type Processes, type Running, withProcesses } from './processes.ts'
import { modelTarget, parleyTarget, type Target } from './target.ts'

/** The model, a bare proxy and Parley in front of it, each in its own process, and the client that sends requests to all three. */
export interface Rivals {
  client: Client
  proxy: Running
  parley: Running
  /** The model directly, through the proxy, through Parley. */
  targets: [straight: Target, throughProxy: Target, throughParley: Target]
}

/** Arguments for the model as in `test/support/scripted-model.ts`. */
export function withRivals<Result>(modelArguments: string[], use: (rivals: Rivals) => Promise<Result>): Promise<Result> {
  return withProcesses(async (processes) => {
    const model = await processes.model(modelArguments)
    const origin = new URL(model.url).origin
    const proxy = await processes.proxy(origin)
    const parley = await processes.parley({ settings: settingsFor(model), dataDirectory: processes.folder() })
    const targets: Rivals['targets'] = [
      modelTarget('model', origin),
      modelTarget('bare proxy', proxy.url),
      parleyTarget('Parley', parley.url),
    ]
    return use({ client: new Client(processes), proxy, parley, targets })
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
