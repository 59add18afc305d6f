import type { FastifyRequest } from 'fastify'
import { EMBEDDING_SITE } from '../../../contract/embedding.ts'
import type { EmbedLimit } from '../../limits/guard.ts'
import { isFramed } from '../../platform/cookies.ts'
import { isBrowser } from '../../platform/request-checks.ts'

/** Sites with figures of their own. What comes from further ones of a long list is `other`. */
const MAX_SITES = 50

export type EmbedOf = (request: FastifyRequest) => string

interface ListedSites {
  /** Named embeds, with the origins that can embed them if not all can. */
  embeds: ReadonlyMap<string, { origins?: readonly string[] | undefined; promptsPerDay?: number | undefined }>
  frameAncestors: readonly string[]
  allowedOrigins: readonly string[]
}

/**
 * Creates the function that tells where a request comes from: a named embed, an origin that the operator lists, `page`, `api` or `other`. It is meant for
 * figures and limits, and grants nothing: browsers state the origin truthfully, but other clients can state any.
 */
export function createEmbedOf({ embeds, frameAncestors, allowedOrigins }: ListedSites): EmbedOf {
  const sites = new Set([...frameAncestors, ...allowedOrigins].slice(0, MAX_SITES))
  const known = (site: string) => (sites.has(site) ? site : 'other')
  return (request) => {
    const { origin, [EMBEDDING_SITE]: site, embedded: name } = request.headers
    const named = embeds.get(String(name))
    if (named && (site === origin || (named.origins ?? frameAncestors).includes(String(site)))) return String(name)
    // The demo embeds the page on its own origin.
    if (isFramed(request)) return site !== undefined && site === origin ? 'page' : known(String(site))
    if (!isBrowser(request)) return 'api'
    return origin !== undefined && allowedOrigins.includes(origin) ? known(origin) : 'page'
  }
}

/** Creates the function that finds the own limit of the named embed where a request comes from. */
export function createEmbedLimitOf({ embeds }: Pick<ListedSites, 'embeds'>, embedOf: EmbedOf) {
  return (request: FastifyRequest): EmbedLimit | undefined => {
    const name = embedOf(request)
    const promptsPerDay = embeds.get(name)?.promptsPerDay
    return promptsPerDay === undefined ? undefined : { name, promptsPerDay }
  }
}
