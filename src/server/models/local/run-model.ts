// Entry point of the local model's process. A broken file or lack of memory ends this process instead of the server.
import { importLibrary } from '../../local-runtime/llama-library.ts'
import { describeError, serveModel } from '../../local-runtime/model-program.ts'
import type { ChatLibrary } from './llama-library.ts'
import { LoadedModel } from './loaded-model.ts'
import { type FromProcess, ToProcess } from './process-messages.ts'

serveModel((message) => handle(ToProcess.parse(message)))

let model: LoadedModel | undefined
let running: { id: number; stopping: AbortController } | undefined

async function handle(message: ToProcess): Promise<void> {
  switch (message.type) {
    case 'load':
      return load(message)
    case 'answer':
      return answer(message)
    case 'stop':
      if (running?.id === message.id) running.stopping.abort()
  }
}

async function load({ library, model: path, contextTokens, threads }: Extract<ToProcess, { type: 'load' }>): Promise<void> {
  model = await LoadedModel.load(await importLibrary<ChatLibrary>(library), path, { contextTokens, threads })
  send({ type: 'loaded' })
}

async function answer({ id, request }: Extract<ToProcess, { type: 'answer' }>): Promise<void> {
  const stopping = new AbortController()
  running = { id, stopping }
  try {
    if (!model) throw new Error('No model is loaded')
    const outcome = await model.answer(request, stopping.signal, (delta) => send({ type: 'delta', id, delta }))
    running = undefined
    send(
      outcome === 'too-long' ? { type: 'failed', id, reason: 'too-long', message: outcome } : { type: 'answered', id, answered: outcome },
    )
  } catch (error) {
    running = undefined
    send({ type: 'failed', id, reason: 'failed', message: describeError(error) })
  }
}

function send(message: FromProcess): void {
  process.send?.(message)
}
