// The process in which a local model runs: a broken file, or too little memory, ends it and not the server.
import { importLibrary } from './llama-library.ts'
import { LoadedModel } from './loaded-model.ts'
import { type FromProcess, ToProcess } from './process-messages.ts'

// The server has ended, whatever has ended it.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
// A signal to the whole group, as a terminal sends it, is the server's to heed: it lets answers end.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)
process.on('message', (said) => {
  heed(ToProcess.parse(said)).catch((error: unknown) => {
    process.stderr.write(`${describe(error)}\n`, () => process.exit(1))
  })
})

let model: LoadedModel | undefined
let running: { id: number; stopping: AbortController } | undefined

async function heed(said: ToProcess): Promise<void> {
  switch (said.type) {
    case 'load':
      return load(said)
    case 'answer':
      return answer(said)
    case 'stop':
      if (running?.id === said.id) running.stopping.abort()
  }
}

async function load({ library, model: path, contextTokens, threads }: Extract<ToProcess, { type: 'load' }>): Promise<void> {
  try {
    model = await LoadedModel.load(await importLibrary(library), path, { contextTokens, threads })
    tell({ type: 'loaded', contextTokens: model.contextTokens })
  } catch (error) {
    tell({ type: 'not-loaded', message: describe(error) })
  }
}

async function answer({ id, request }: Extract<ToProcess, { type: 'answer' }>): Promise<void> {
  const stopping = new AbortController()
  running = { id, stopping }
  try {
    if (!model) throw new Error('No model is loaded')
    const outcome = await model.answer(request, stopping.signal, (delta) => tell({ type: 'delta', id, delta }))
    running = undefined
    tell(
      outcome === 'too-long' ? { type: 'failed', id, reason: 'too-long', message: outcome } : { type: 'answered', id, answered: outcome },
    )
  } catch (error) {
    running = undefined
    tell({ type: 'failed', id, reason: 'failed', message: describe(error) })
  }
}

function tell(message: FromProcess): void {
  process.send?.(message)
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
