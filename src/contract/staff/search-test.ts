import { z } from 'zod'

export const MAX_TEST_QUERY_CHARACTERS = 500

export const SearchTestQuery = z.strictObject({
  agent: z.string().max(100).describe('Id of the agent whose knowledge is searched.'),
  query: z.string().trim().min(1).max(MAX_TEST_QUERY_CHARACTERS),
})

const TestedPassage = z.object({
  file: z.string(),
  breadcrumb: z.string(),
  place: z.string().nullable().describe('Where in the file, if it has pages or rows.'),
  asOf: z.string().nullable().describe('ISO date that the content is from.'),
  text: z.string().describe('Markdown.'),
  score: z.number().describe('0 to 1, relative to the best passage.'),
  relevance: z.number().describe('0 to 1: how much of the query the passage covers, rare words counting more.'),
  isSent: z.boolean().describe('Whether a model would be sent it for this query; otherwise it is a near miss.'),
})
export type TestedPassage = z.infer<typeof TestedPassage>

export const SearchTestResult = z.object({ passages: z.array(TestedPassage).describe('Best first, near misses included.') })
export type SearchTestResult = z.infer<typeof SearchTestResult>
