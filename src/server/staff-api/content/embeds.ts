import { EmbedList, EmbedParams, EmbedToSave } from '../../../contract/staff/content/embeds.ts'
import { embedMistake, listEmbeds } from '../../managed/named-embeds.ts'
import type { Server } from '../../platform/server.ts'
import { MANAGED_EMBEDS } from '../../store/knowledge/managed-texts.ts'
import { staffOf } from '../authorize.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { rejectStaff } from '../reject-staff.ts'
import { DONE, Done, doneOrMissing, sensitive, staffRoutes } from '../staff-route.ts'

const PATH = '/api/staff/v1/embeds'
const route = staffRoutes('embeds')
const config = sensitive('change-agents')

/** Embeds that pages name: those of the file are shown, the others saved and deleted, live at once. */
export function embedRoutes(app: Server, { database, record, embeds, now }: ConsoleRouteOptions): void {
  app.get(PATH, route('read-agents', { summary: 'List the named embeds', reply: EmbedList }), async () => ({
    embeds: await listEmbeds(database, embeds.files),
  }))

  app.post(
    `${PATH}/:name`,
    route(config, { summary: 'Save a named embed', params: EmbedParams, body: EmbedToSave, reply: Done }),
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
      return DONE
    },
  )

  app.delete(
    `${PATH}/:name`,
    route(config, { summary: 'Delete a named embed', params: EmbedParams, reply: Done }),
    async (request, reply) => {
      const { name } = request.params
      return doneOrMissing(reply, await MANAGED_EMBEDS.delete(database, name, record(request, 'embed.delete', name)))
    },
  )
}
