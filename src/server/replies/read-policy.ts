import type { z } from 'zod'
import { KNOWN_COUNTRIES } from '../safety/emergency/emergency-reply.ts'
import { type PolicyDefinition, type RouteDefinition, MAX_ROUTES, NO_POLICY, PolicyHeader, RouteHeader } from './policy.ts'

/** A mistake, with the path of the key below `policy`. */
export interface PolicyMistake {
  path: PropertyKey[]
  message: string
}

/** Keys of earlier releases, each with what it means that one is still there. */
const REMOVED_KEYS: ReadonlyMap<string, string> = new Map([['inputCheck', 'was removed: moderation and `routing: model` take its place']])

/** Reads the `policy` of an agent's front matter. A key or route with a mistake is left out and reported; the rest applies. */
export function readPolicy(value: unknown): { policy: PolicyDefinition; mistakes: PolicyMistake[] } {
  if (value === null || value === undefined) return { policy: NO_POLICY, mistakes: [] }
  if (typeof value !== 'object' || Array.isArray(value)) return { policy: NO_POLICY, mistakes: [{ path: [], message: 'must have keys' }] }
  const { routes: listed, ...keys } = value as Record<string, unknown>
  const mistakes: PolicyMistake[] = []
  const valid = validKeys(keys, mistakes)
  const routes = readRoutes(listed, mistakes)
  for (const [index, country] of valid.countries.entries())
    if (!KNOWN_COUNTRIES.includes(country))
      mistakes.push({ path: ['countries', index], message: `"${country}" has no numbers here; visitors read the European 112 instead` })
  return { policy: { ...valid, routes }, mistakes }
}

function validKeys(keys: Readonly<Record<string, unknown>>, mistakes: PolicyMistake[]): z.output<typeof PolicyHeader> {
  const reading = PolicyHeader.safeParse(keys)
  if (reading.success) return reading.data
  const wrong = new Set<string>()
  for (const issue of reading.error.issues) {
    const isUnknown = issue.code === 'unrecognized_keys'
    const names = isUnknown && issue.path.length === 0 ? issue.keys : [String(issue.path[0])]
    for (const name of names) wrong.add(name)
    mistakes.push(
      ...(isUnknown
        ? issue.keys.map((key) => ({
            path: [...issue.path, key],
            message: REMOVED_KEYS.get(key) ?? `is no key of ${issue.path.length === 0 ? 'a policy' : issue.path.join('.')}`,
          }))
        : [{ path: issue.path, message: issue.message }]),
    )
  }
  return PolicyHeader.parse(Object.fromEntries(Object.entries(keys).filter(([name]) => !wrong.has(name))))
}

function readRoutes(listed: unknown, mistakes: PolicyMistake[]): RouteDefinition[] {
  if (listed === null || listed === undefined) return []
  if (!Array.isArray(listed)) {
    mistakes.push({ path: ['routes'], message: 'must be a list' })
    return []
  }
  if (listed.length > MAX_ROUTES)
    mistakes.push({ path: ['routes'], message: `has ${listed.length} routes; the first ${MAX_ROUTES} are used` })
  const routes = new Map<string, RouteDefinition>()
  for (const [index, item] of listed.slice(0, MAX_ROUTES).entries()) {
    const route = readRoute(item, (path, message) => mistakes.push({ path: ['routes', index, ...path], message }))
    if (!route) continue
    if (routes.has(route.id)) mistakes.push({ path: ['routes', index], message: `has the id "${route.id}" of another route` })
    else routes.set(route.id, route)
  }
  return [...routes.values()]
}

/** A route; `null` with a mistake. */
function readRoute(item: unknown, report: (path: PropertyKey[], message: string) => void): RouteDefinition | null {
  if (typeof item === 'string') {
    report([], `"${item.slice(0, 64)}" is only a name; the routes that shipped were removed: write it out with its id, reply and examples`)
    return null
  }
  const reading = RouteHeader.safeParse(item)
  if (reading.success) return reading.data
  for (const issue of reading.error.issues.slice(0, 3)) {
    if (issue.code === 'unrecognized_keys') for (const key of issue.keys) report([key], 'is no key of a route')
    else report(issue.path, issue.path[0] === 'reply' ? 'needs a text, or texts by language' : issue.message)
  }
  return null
}
