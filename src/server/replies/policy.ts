import { z } from 'zod'
import { PAGE_LANGUAGES } from '../../contract/page-languages.ts'
import { orElse, orNull } from './front-matter.ts'
import { HandoverHeader } from './handover.ts'
import { localizedText } from './localized-text.ts'

/** Most examples, counter-examples or keywords of a route. */
const MAX_EXAMPLES = 100

const text = (maxCharacters: number) => z.string().trim().min(1).max(maxCharacters)

/** A kind of prompt that gets a fixed reply. */
export const RouteHeader = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must be lowercase letters, digits and hyphens'),
    state: z.enum(['referred', 'out_of_scope'], 'must be referred or out_of_scope').default('referred'),
    reply: localizedText(2_000),
    examples: z.array(text(500)).max(MAX_EXAMPLES).default([]),
    counterExamples: z.array(text(500)).max(MAX_EXAMPLES).default([]),
    keywords: z.array(text(100)).max(MAX_EXAMPLES).default([]),
  })
  .refine(({ examples, keywords }) => examples.length + keywords.length > 0, 'needs examples or keywords')
export type RouteDefinition = z.output<typeof RouteHeader>

/** Everything of a policy but its routes, which are read one by one. */
export const PolicyHeader = z.strictObject({
  /** Purpose in a sentence; `null` for anything. */
  purpose: orNull(text(600)),
  /** Topics that it does not answer. */
  notFor: orElse(z.array(text(200)).max(50), []),
  /** `quote`: only what sources support. `help`: may add general knowledge and says so. */
  strictness: orElse(z.enum(['help', 'quote'], 'must be help or quote'), 'help'),
  /** With `quote`: whether sentences that the sources don't support are left out or marked. */
  unsupported: orElse(z.enum(['drop', 'mark'], 'must be drop or mark'), 'drop'),
  /** Countries whose emergency numbers are given. */
  countries: orElse(z.array(z.string().regex(/^[A-Z]{2}$/, 'must be a country code such as DE')).max(60), []),
  /** Whether emergencies get a fixed reply with the numbers to call. */
  emergency: orElse(z.enum(['on', 'off'], 'must be on or off'), 'on'),
  /** Languages that it answers in; `null` for any. */
  languages: z
    .array(z.enum(PAGE_LANGUAGES))
    .max(PAGE_LANGUAGES.length)
    .nullish()
    .transform((languages) => (languages?.length ? languages : null)),
  /** `model`: a model decides about prompts that no route matches. */
  routing: orElse(z.enum(['examples', 'model'], 'must be examples or model'), 'examples'),
  /** `model`: the agent's model judges each answer by its sources. */
  judge: orElse(z.enum(['off', 'model'], 'must be off or model'), 'off'),
  /** Ways to a person; `null` for none. */
  handover: orNull(HandoverHeader),
})

/** Scope of an agent, and its replies to prompts outside it. */
export type PolicyDefinition = z.output<typeof PolicyHeader> & { routes: RouteDefinition[] }

/** The policy of an agent whose file has none. */
export const NO_POLICY: PolicyDefinition = { ...PolicyHeader.parse({}), routes: [] }

export const MAX_ROUTES = 100
