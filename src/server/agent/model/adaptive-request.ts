import { describeQuirk, type EndpointQuirks, type Quirk, withQuirks } from './endpoint-quirks.ts'
import { ModelError } from './model-error.ts'
import type { SendToModel } from './model-request.ts'

export interface AdaptiveOptions {
  /** The model's name, as the provider knows it. */
  model: string
  quirks: EndpointQuirks
  onWarning: (message: string, cause?: unknown) => void
}

/**
 * Sends requests as the endpoint takes them: a refusal that names a field of the request is answered by the request without that field,
 * or with its other name. What helped is remembered, so that later requests are not refused.
 */
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
        const learned = error instanceof ModelError ? quirks.learn(endpoint, error.reason, applied) : null
        if (!learned) throw error
        applied.push(learned.quirk)
        if (learned.isNew) onWarning(`${model} refused a request; ${describeQuirk(learned.quirk)} from now on`, error)
      }
    }
  }
}

/** A model at an address, as quirks are remembered. */
export function endpointOf({ origin, pathname }: URL, model: string): string {
  return `${origin}${pathname} ${model}`
}
