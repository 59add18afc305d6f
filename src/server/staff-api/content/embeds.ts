import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { EmbedList, EmbedParams, EmbedToSave } from '../../../contract/staff/content/embeds.ts'
import { TextChanged } from '../../../contract/staff/content/managed-texts.ts'
import { StaffProblem } from '../../../contract/staff/problems.ts'
import { embedMistake, listEmbeds } from '../../managed/named-embeds.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import type { AuditAction } from '../../staff/audit.ts'
import { increaseVersion } from '../../store/engine/installation-facts.ts'
import { MANAGED_EMBEDS, type RecordChange } from '../../store/knowledge/managed-texts.ts'
import { staffOf } from '../authorize.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { rejectStaff } from '../reject-staff.ts'

const PATH = '/api/staff/v1/embeds'
const querystring = z.strictObject({})
const tags = ['embeds']
const response = { 200: TextChanged, default: StaffProblem }
const config = { staff: 'change-agents', isSensitive: true } as const

/** Embeds that pages name: those of the file are shown, the others saved and deleted, live at once. */
export function embedRoutes(app: Server, { database, audit, embeds, now }: ConsoleRouteOptions): void {
  const record = (request: FastifyRequest, action: AuditAction, target: string): RecordChange => {
    const actor = staffOf(request).member.id
    return async (transaction) => {
      await increaseVersion(transaction, MANAGED_EMBEDS.version)
      await audit.append(transaction, { at: now(), actor, action, target })
    }
  }

  app.get(
    PATH,
    {
      schema: { summary: 'List the named embeds', tags, querystring, response: { 200: EmbedList, default: StaffProblem } },
      config: { staff: 'read-agents' },
    },
    async () => ({ embeds: await listEmbeds(database, embeds.files) }),
  )

  app.post(
    `${PATH}/:name`,
    { schema: { summary: 'Save a named embed', tags, querystring, params: EmbedParams, body: EmbedToSave, response }, config },
    async (request, reply) => {
      const { name: id } = request.params
      const { embed, basedOn } = request.body
      const mistake = embedMistake(embed)
      if (mistake) return rejectStaff(reply, 'embed_mistaken', mistake)
      const text = { id, text: JSON.stringify(embed), by: staffOf(request).member.id, at: now() }
      if (basedOn === 0) {
        const outcome = embeds.files.has(id) ? 'taken' : await MANAGED_EMBEDS.insert(database, text, record(request, 'embed.save', id))
        if (outcome !== 'inserted') return rejectStaff(reply, outcome === 'taken' ? 'embed_exists' : 'too_many_embeds')
      } else {
        const isSaved = await MANAGED_EMBEDS.saveDraft(database, { ...text, basedOn }, record(request, 'embed.save', id))
        if (!isSaved) return rejectStaff(reply, 'changed_meanwhile')
      }
      await embeds.poll()
      return { changed: true } as const
    },
  )

  app.delete(
    `${PATH}/:name`,
    { schema: { summary: 'Delete a named embed', tags, querystring, params: EmbedParams, response }, config },
    async (request, reply) => {
      const { name } = request.params
      if (!(await MANAGED_EMBEDS.delete(database, name, record(request, 'embed.delete', name)))) return reject(reply, 'not_found')
      await embeds.poll()
      return { changed: true } as const
    },
  )
}
