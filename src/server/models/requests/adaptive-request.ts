import { describeQuirk, type EndpointQuirks, type Quirk, withQuirks } from './endpoint-quirks.ts'
import type { ErrorReason } from './error-reason.ts'
import { ModelError } from './model-error.ts'
import type { SendToModel } from './model-request.ts'

export interface AdaptiveOptions {
  model: string
  quirks: EndpointQuirks
  onWarning: (message: string, cause?: unknown) => void
}

/** Repeats a request without the field that an error names, or with its other name, and applies that to later ones. */
export function adaptiveRequest(send: SendToModel, { model, quirks, onWarning }: AdaptiveOptions): SendToModel {
  return async (request) => {
    const { body } = request
    if (body === undefined) return send(request)
    const endpoint = endpointOf(request.url, model)
    const applied: Quirk[] = [...quirks.of(endpoint)]
    for (;;) {
      try {
        return await send({ ...request, body: withQuirks(body, applied) })
      } catch (error) {
        const once = error instanceof ModelError ? onceOnly(error.reason, applied) : null
        if (once) {
          applied.push(once)
          continue
        }
        const learned = error instanceof ModelError ? quirks.learn(endpoint, error.reason, applied) : null
        if (!learned) throw error
        applied.push(learned.quirk)
        if (learned.isNew) onWarning(`${model} rejected a request; ${describeQuirk(learned.quirk)} from now on`, error)
      }
    }
  }
}

/** A change for this request alone: the model may write the next call well, and a router may send it to another server. */
function onceOnly({ kind }: ErrorReason, applied: readonly Quirk[]): Quirk | null {
  const remedy: Quirk | null =
    kind === 'tool-use-failed'
      ? { kind: 'no-tools' }
      : ['tool-messages', 'alternating-roles'].includes(kind)
        ? { kind: 'plain-messages' }
        : null
  return remedy && !applied.some((one) => one.kind === remedy.kind) ? remedy : null
}

export function endpointOf({ origin, pathname }: URL, model: string): string {
  return `${origin}${pathname} ${model}`
}
