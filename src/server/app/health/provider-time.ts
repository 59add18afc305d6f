import { endpointOf } from '../../models/connect-model.ts'
import type { ModelSettings } from '../../models/model-settings.ts'
import { OPERATOR_ALLOWED } from '../../egress/address-policy.ts'
import { createEgress } from '../../egress/egress.ts'

const LIMITS = { connectTimeoutMs: 2_000, totalTimeoutMs: 3_000, maxBytes: 64 * 1024, maxRedirects: 0 }

/** The time of the model's provider, by the `Date` of a reply to a request without a key; `undefined` if there is none. */
export async function providerTime(model: ModelSettings): Promise<number | undefined> {
  const endpoint = endpointOf(model)
  if (endpoint === null) return undefined
  try {
    const { headers, body } = await createEgress({ addressPolicy: OPERATOR_ALLOWED, limits: LIMITS })({
      url: new URL(endpoint),
      method: 'HEAD',
    })
    body.destroy()
    const time = Date.parse(headers.get('date') ?? '')
    return Number.isNaN(time) ? undefined : time
  } catch {
    return undefined
  }
}
