/** `auto`: Chat Completions, or Responses for a model that supports only that. */
export const OPENAI_APIS = ['auto', 'chat', 'responses'] as const
export type OpenAiApi = (typeof OPENAI_APIS)[number]
