import { ConnectedModel, type ModelConnection, ModelTested, ModelToConnect } from '../../../contract/staff/model.ts'
import type { StaffProblemCode } from '../../../contract/staff/problems.ts'
import type { Server } from '../../platform/server.ts'
import { hostOf, readModelConnection, writeModelConnection } from '../../staff/model-connection.ts'
import { isAllowedTarget } from '../../webhooks/webhooks.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { rejectStaff } from '../reject-staff.ts'
import { DONE, Done, staffRoutes } from '../staff-route.ts'

const PATH = '/api/staff/v1/model'
const route = staffRoutes('model')
const config = { staff: 'connect-model', isSensitive: 'just' } as const

interface Refusal {
  refused: StaffProblemCode
  detail?: string
}

/** The model that owners connect. Its key is written and never read. Every process restarts with a change, one after the other. */
export function modelRoutes(app: Server, { database, record, keys, privateHosts, model }: ConsoleRouteOptions): void {
  /** The connection with its key, or what it lacks. */
  const completed = async (wanted: ModelConnection): Promise<ModelConnection | Refusal> => {
    if (wanted.provider === 'address' && !isAllowedTarget(new URL(wanted.address), privateHosts)) return { refused: 'target_not_allowed' }
    const stored = (await readModelConnection(database, keys))?.connection
    const key = wanted.key ?? (stored && hostOf(stored) === hostOf(wanted) ? stored.key : undefined)
    const isChanged = stored?.key !== undefined && hostOf(stored) !== hostOf(wanted)
    if (key === undefined && (wanted.provider !== 'address' || isChanged)) return { refused: 'model_key_needed' }
    const connection = { ...wanted, ...(key !== undefined && { key }) }
    const mistake = model.mistake(connection)
    return mistake === null ? connection : { refused: 'model_mistaken', detail: mistake }
  }

  app.get(PATH, route('connect-model', { summary: 'Retrieve the connected model', reply: ConnectedModel }), async () => {
    const found = await readModelConnection(database, keys)
    const stored = found?.connection
    const connection = stored
      ? {
          provider: stored.provider,
          address: stored.provider === 'address' ? stored.address : null,
          model: stored.model,
          hasKey: stored.key !== undefined,
        }
      : null
    const { isSetByEnvironment, label, live } = model
    return { isSetByEnvironment, label, connection, isLive: isSetByEnvironment || (found?.stored ?? null) === live }
  })

  app.post(
    `${PATH}/test`,
    route(config, { summary: 'Ask a model once, before it is connected', body: ModelToConnect, reply: ModelTested }),
    async (request, reply) => {
      const connection = await completed(request.body)
      return 'refused' in connection ? rejectStaff(reply, connection.refused, connection.detail) : model.test(connection)
    },
  )

  app.post(PATH, route(config, { summary: 'Connect a model', body: ModelToConnect, reply: Done }), async (request, reply) => {
    const connection = await completed(request.body)
    if ('refused' in connection) return rejectStaff(reply, connection.refused, connection.detail)
    const target = `${connection.model} ${hostOf(connection)}`
    await writeModelConnection(database, keys[0], connection, record(request, 'model.connect', target))
    return DONE
  })

  app.delete(PATH, route(config, { summary: 'Disconnect the model', reply: Done }), async (request) => {
    await writeModelConnection(database, keys[0], null, record(request, 'model.disconnect', null))
    return DONE
  })
}
