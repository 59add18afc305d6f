/**
 * Bodies as Open WebUI 0.12.4 sends them to an OpenAI-compatible connection, read from `routers/openai.py`, `routers/tasks.py`, `main.py` and
 * `config.py` of its package on PyPI. The templates of the tasks are shortened in their guidelines.
 */

interface OpenWebUiRequest {
  model: string
  messages: { role: string; content: unknown }[]
  stream: boolean
  [field: string]: unknown
}

/** A prompt in a chat: the system prompt of the workspace first, and the user's text. */
export const promptRequest = (model: string, ...turns: string[]): OpenWebUiRequest => ({
  stream: true,
  model,
  messages: [
    { role: 'system', content: 'You are a pirate.' },
    ...turns.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content })),
  ],
  stream_options: { include_usage: true },
})

/** With a picture attached. */
export const pictureRequest = (model: string): OpenWebUiRequest => ({
  stream: true,
  model,
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
      ],
    },
  ],
})

const chatHistory = (turns: readonly string[]) =>
  `<chat_history>\n${turns.map((text, index) => `${index % 2 === 0 ? 'USER' : 'ASSISTANT'}: ${text}`).join('\n')}\n</chat_history>`

const task = (model: string, content: string): OpenWebUiRequest => ({ model, messages: [{ role: 'user', content }], stream: false })

export const titleRequest = (model: string, ...turns: string[]): OpenWebUiRequest => ({
  ...task(
    model,
    `### Task:\nGenerate a concise title summarizing the chat history.\n### Guidelines:\n- Keep it short: 2-4 words is best.\n### Output:\nJSON format: { "title": "your concise title here" }\n### Chat History:\n${chatHistory(turns)}`,
  ),
  max_tokens: 1000,
})

export const tagsRequest = (model: string, ...turns: string[]): OpenWebUiRequest =>
  task(
    model,
    `### Task:\nGenerate 1-3 broad tags categorizing the main themes of the chat history, along with 1-3 more specific subtopic tags.\n\n### Output:\nJSON format: { "tags": ["tag1", "tag2", "tag3"] }\n\n### Chat History:\n${chatHistory(turns)}`,
  )

export const followUpsRequest = (model: string, ...turns: string[]): OpenWebUiRequest =>
  task(
    model,
    `### Task:\nPredict 3-5 useful messages this user might naturally send next to advance their current objective.\n### Output:\nJSON format: { "follow_ups": ["Suggested next message 1", "Suggested next message 2"] }\n### Chat History:\n${chatHistory(turns)}`,
  )

export const queriesRequest = (model: string, ...turns: string[]): OpenWebUiRequest =>
  task(
    model,
    `### Task:\nAnalyze the chat history to determine the necessity of generating search queries, in the given language.\n\n### Output:\nStrictly return in JSON format: \n{\n  "queries": ["query1", "query2"]\n}\n\n### Chat History:\n${chatHistory(turns)}\n`,
  )

/** The user's prompt in the template of Open WebUI's own retrieval: a prompt and no task. */
export const retrievalRequest = (model: string, prompt: string): OpenWebUiRequest => ({
  stream: true,
  model,
  messages: [
    {
      role: 'user',
      content: `### Task:\nRespond to the user query using the provided context, incorporating inline citations.\n\n<context>\n<source id="1">Nothing.</source>\n</context>\n\n${prompt}`,
    },
  ],
})
