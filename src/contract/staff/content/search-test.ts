import { z } from 'zod'

const MAX_TEST_QUERY_CHARACTERS = 500

export const SearchTestQuery = z.strictObject({
  agent: z.string().max(100).describe('Id of the agent whose knowledge is searched.'),
  query: z.string().trim().min(1).max(MAX_TEST_QUERY_CHARACTERS),
})

/** Why an agent doesn't answer from a passage. */
const MISSES = ['low_relevance', 'other_words', 'ambiguous', 'outranked', 'stopped'] as const

const TestedPassage = z.object({
  file: z.string(),
  breadcrumb: z.string(),
  place: z.string().nullable().describe('Where in the file, if it has pages or rows.'),
  asOf: z.string().nullable().describe('ISO date that the content is from.'),
  text: z.string().describe('Markdown.'),
  score: z.number().describe('0 to 1, relative to the best passage.'),
  relevance: z.number().describe('0 to 1: how much of the query the passage covers, rare words counting more.'),
  missed: z
    .enum(MISSES)
    .nullable()
    .describe(
      'Why the agent doesn’t answer from it for this query; `null` if it is sent to the model, or the built-in assistant can quote it. ' +
        '`low_relevance`: below `minRelevance`. `other_words`: it isn’t about all words of the query. `ambiguous`: another passage is ' +
        'nearly as near, or closer in meaning. `outranked`: others fill what the agent is given. `stopped`: staff have stopped its file.',
    ),
})
export type TestedPassage = z.infer<typeof TestedPassage>

export const SearchTestResult = z.object({
  usedBy: z.enum(['model', 'builtin']).describe('Whether a model judges what it is sent, or the built-in assistant quotes a passage.'),
  minRelevance: z
    .number()
    .nullable()
    .describe(
      'Relevance that the built-in assistant needs to quote a passage, unless it is by far the closest in meaning; `null` for models.',
    ),
  passages: z.array(TestedPassage).describe('Best first, then near misses.'),
})
export type SearchTestResult = z.infer<typeof SearchTestResult>
