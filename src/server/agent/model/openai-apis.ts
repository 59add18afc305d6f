/** `auto`: Chat Completions, and Responses for a model that has nothing else. */
export const OPENAI_APIS = ['auto', 'chat', 'responses'] as const
export type OpenAiApi = (typeof OPENAI_APIS)[number]
