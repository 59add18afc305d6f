import { ConfigurationQuery } from '../../../contract/config.ts'
import { type Embed, embedTexts } from '../../config/embeds-file.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'

interface EmbedSettingsOptions {
  embeds: ReadonlyMap<string, Embed>
  frameAncestors: readonly string[]
}

/** Tells `embed.js`, as a module, whether the page's origin can embed the chat, and the named embed's label, colour and theme. */
export function embedSettingsRoute(app: Server, { embeds, frameAncestors }: EmbedSettingsOptions): void {
  app.get('/embed-settings.js', { schema: { hide: true } as never }, (request, reply) => {
    const { data: query } = ConfigurationQuery.safeParse(request.query)
    const embed = query?.embed === undefined ? {} : embeds.get(query.embed)
    if (!query || !embed) return reject(reply, 'not_found')
    const { origin } = request.headers
    // The demo is a page of the chat's own host, where staff see what they change.
    const isOwn = origin === undefined || URL.parse(origin)?.host === request.host
    const isListed = isOwn || (embed.origins ?? frameAncestors).includes(origin)
    const { label } = embedTexts(embed, query.language?.split('-', 1)[0])
    const settings = { isListed, label, color: embed.color, theme: embed.theme }
    return reply
      .headers({ 'cache-control': isOwn ? 'no-cache' : 'max-age=300', vary: 'origin' })
      .type('text/javascript')
      .send(`export default ${JSON.stringify(settings)}`)
  })
}
