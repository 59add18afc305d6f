import { expect } from 'vitest'
import { CALLS } from './call-dialects.ts'
import { ANSWER, type Dialect, DONE, errorReply, line, raw, textReply } from './dialect.ts'
import { CONTEXTS, ERRORS } from './error-dialects.ts'
import { EMPTY, FIELDS } from './field-dialects.ts'
import { responses } from './responses-protocol.ts'

const STREAMS: Record<string, Dialect> = {
  'keeps the connection open with words, nothing and comments': {
    replies: [
      raw(
        ': OPENROUTER PROCESSING\n\n',
        'data: ping\n\n',
        'data: "alive"\n\n',
        'event: keep-alive\ndata:\n\n',
        line({ content: 'Yes.' }, 'stop'),
        DONE,
      ),
    ],
    text: 'Yes.',
  },
  'leaves the tokens of its template in the text': {
    replies: [textReply('<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|mess', 'age|>Yes.<|return|>')],
    text: 'Yes.',
    reasoning: 'Hm.',
  },
  'leaves the end of its turn in the text': { replies: [textReply('Yes.<|im', '_end|>\n<|endoftext|>')], text: 'Yes.' },
  'sends the whole message in one event': {
    replies: [raw(`data: ${JSON.stringify({ choices: [{ message: { content: 'Yes.' }, finish_reason: 'stop' }] })}\n\n`, DONE)],
    text: 'Yes.',
  },
  'sends the whole message once more at the end': {
    replies: [
      raw(
        line({ content: 'Y' }),
        line({ content: 'es.' }),
        `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, message: { content: 'Yes.' }, finish_reason: 'stop' }] })}\n\n`,
        DONE,
      ),
    ],
    text: 'Yes.',
  },
  'says [DONE] without a finish reason': { replies: [raw(line({ content: 'Yes.' }), DONE)], text: 'Yes.' },
  'says [DONE] with a space behind it': { replies: [raw(line({ content: 'Yes.' }), 'data: [DONE] \n\n')], text: 'Yes.' },
  'closes without a finish reason or [DONE]': { replies: [raw(line({ content: 'Half' }))], text: 'Half', code: 'model_interrupted' },
  'says nothing but [DONE]': { replies: [raw(DONE)], code: 'model_failed' },
  'begins with a BOM': { replies: [raw('\uFEFF', line({ content: 'Yes.' }, 'stop'))], text: 'Yes.' },
  'ends lines with CR': { replies: [raw(line({ content: 'Yes.' }, 'stop').replaceAll('\n', '\r'), 'data: [DONE]\r\r')], text: 'Yes.' },
  'ends lines with CRLF': { replies: [raw(line({ content: 'Yes.' }, 'stop').replaceAll('\n', '\r\n'))], text: 'Yes.' },
  'sends a second choice': {
    replies: [
      raw(line({ content: 'One' }), line({ content: 'Two' }, null, 1), line({ content: '.' }, 'stop'), line({}, 'length', 1), DONE),
    ],
    text: 'One.',
  },
  'numbers no choices': {
    replies: [raw(`data: ${JSON.stringify({ choices: [{ delta: { content: 'Yes.' }, finish_reason: 'stop' }] })}\n\n`)],
    text: 'Yes.',
  },
  'replies in JSON': {
    replies: [
      {
        body: JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }] }, null, 2),
      },
    ],
    text: 'Yes.',
  },
  'replies in JSON and calls it a stream': {
    replies: [raw(JSON.stringify({ choices: [{ message: { content: 'Yes.', reasoning_content: 'Hm.' }, finish_reason: 'stop' }] }))],
    text: 'Yes.',
    reasoning: 'Hm.',
  },
  'replies in JSON with a call of a tool': {
    replies: [
      {
        body: JSON.stringify({
          choices: [
            {
              message: {
                content: null,
                tool_calls: [{ id: 'a', type: 'function', function: { name: 'calculator', arguments: '{"expression":"6*7"}' } }],
              },
              finish_reason: 'tool_calls',
            },
          ],
        }),
      },
    ],
    text: ANSWER,
    requests: 2,
  },
  'replies in JSON with an error': {
    replies: [{ body: JSON.stringify({ error: { message: 'The GPU is on fire', type: 'server_error' } }) }],
    text: ANSWER,
    requests: 2,
  },
  'replies with JSON that is cut off': { replies: [{ body: '{"choices":[{"message":{"content":"Ye' }], code: 'model_failed' },
  'reports an error of vLLM in its stream': {
    replies: [
      raw('data: {"object":"error","message":"This model\'s maximum context length is 10 tokens","type":"BadRequestError"}\n\n', DONE),
    ],
    code: 'context_too_long',
  },
  'ends with an error as its finish reason': {
    replies: [raw(line({ content: 'So' }), line({}, 'error'), DONE)],
    text: 'So',
    code: 'model_failed',
  },
  'ends for its context': { replies: [raw(line({ content: 'So' }), line({}, 'model_context_window_exceeded'), DONE)], text: 'So' },
}

const THOUGHTS: Record<string, Dialect> = {
  'opens and closes them': { replies: [textReply('<think>Hm.</think>Yes.')], text: 'Yes.', reasoning: 'Hm.' },
  'calls them thinking': { replies: [textReply('<thinking>', 'Hm.', '</thinking>', 'Yes.')], text: 'Yes.', reasoning: 'Hm.' },
  'splits the tags': { replies: [textReply('<th', 'ink>Hm.</', 'think', '>\n\nY', 'es.')], text: 'Yes.', reasoning: 'Hm.' },
  'has them opened by its template': { replies: [textReply('Hm', '.\n</thi', 'nk>\n\n', 'Yes.')], text: 'Yes.', reasoning: 'Hm.\n' },
  'sends them as a field': {
    replies: [raw(line({ reasoning_content: 'Hm.' }), line({ content: 'It is `</think>`.' }, 'stop'), DONE)],
    text: 'It is `</think>`.',
    reasoning: 'Hm.',
  },
  'says them before a tool is called': {
    replies: [
      raw(
        line({ content: '<think>Hm.</think>' }),
        line({ tool_calls: [{ id: 'a', function: { name: 'calculator', arguments: '{"expression":"1"}' } }] }, 'tool_calls'),
        DONE,
      ),
    ],
    text: ANSWER,
    reasoning: 'Hm.',
    requests: 2,
  },
  'spends all its tokens on them': {
    replies: [raw(line({ content: '<think>Hm' }), line({}, 'length'), DONE)],
    reasoning: 'Hm',
    code: 'reasoning_too_long',
  },
  'spends all its tokens on a field of them': {
    replies: [raw(line({ reasoning_content: 'Hm' }), line({}, 'length'), DONE)],
    reasoning: 'Hm',
    code: 'reasoning_too_long',
  },
  'spends all its tokens on them unseen': {
    replies: [
      raw(
        line({}, 'length'),
        `data: ${JSON.stringify({ choices: [], usage: { completion_tokens: 9, completion_tokens_details: { reasoning_tokens: 9 } } })}\n\n`,
        DONE,
      ),
    ],
    code: 'reasoning_too_long',
  },
  'writes nothing, and no thoughts': { replies: [raw(line({}, 'length'), DONE)], code: 'answer_too_long' },
}

const PARAMETERS: Record<string, Dialect> = {
  'OpenAI refuses max_tokens': {
    replies: [
      errorReply({
        message: "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        type: 'invalid_request_error',
        param: 'max_tokens',
        code: 'unsupported_parameter',
      }),
    ],
    text: ANSWER,
    sent: { max_tokens: undefined, max_completion_tokens: 2_000 },
    log: 'max_completion_tokens instead of max_tokens',
  },
  'a gateway names it in its sentence': {
    replies: [
      errorReply("litellm.BadRequestError: OpenAIException - Unsupported parameter: 'max_tokens' is not supported with this model."),
    ],
    text: ANSWER,
    sent: { max_tokens: undefined, max_completion_tokens: 2_000 },
    log: 'max_completion_tokens instead of max_tokens',
  },
  'an older server refuses max_completion_tokens': {
    model: 'gpt-5-mini',
    replies: [
      {
        status: 422,
        body: JSON.stringify({
          detail: [{ type: 'extra_forbidden', loc: ['body', 'max_completion_tokens'], msg: 'Extra inputs are not permitted' }],
        }),
      },
    ],
    text: ANSWER,
    sent: { max_tokens: 2_000, max_completion_tokens: undefined },
    log: 'max_tokens instead of max_completion_tokens',
  },
  'a server takes neither': {
    replies: [errorReply({ message: 'unknown field "max_tokens"' }), errorReply({ message: 'unknown field "max_completion_tokens"' })],
    text: ANSWER,
    sent: { max_tokens: undefined, max_completion_tokens: undefined },
    requests: 3,
  },
  'Azure does not recognise stream_options': {
    replies: [
      errorReply({
        message: 'Unrecognized request argument supplied: stream_options',
        type: 'invalid_request_error',
        param: null,
        code: null,
      }),
    ],
    text: ANSWER,
    sent: { stream_options: undefined },
    log: 'leaving out stream_options',
  },
  'Google does not know tool_choice': {
    replies: [
      {
        status: 400,
        body: JSON.stringify([
          {
            error: {
              code: 400,
              message: 'Invalid JSON payload received. Unknown name "tool_choice": Cannot find field.',
              status: 'INVALID_ARGUMENT',
            },
          },
        ]),
      },
    ],
    text: ANSWER,
    sent: { tool_choice: undefined },
    log: 'leaving out tool_choice',
  },
  'Groq does not take reasoning_effort': {
    settings: { reasoningEffort: 'low' },
    replies: [errorReply({ message: '`reasoning_effort` is not supported with this model', type: 'invalid_request_error' })],
    text: ANSWER,
    sent: { reasoning_effort: undefined },
    log: 'leaving out reasoning_effort',
  },
  'a model does not take this effort': {
    settings: { reasoningEffort: 'minimal' },
    replies: [
      errorReply({
        message: "Unsupported value: 'minimal' is not supported with the 'm' model.",
        param: 'reasoning_effort',
        code: 'unsupported_value',
      }),
    ],
    text: ANSWER,
    sent: { reasoning_effort: undefined },
    log: 'leaving out reasoning_effort',
  },
  'several are refused, one after the other': {
    settings: { reasoningEffort: 'low' },
    replies: [
      errorReply({ message: 'Extra inputs are not permitted', param: 'stream_options' }),
      errorReply({ message: 'x', param: 'reasoning_effort' }),
      errorReply({ message: 'x', param: 'max_tokens' }),
    ],
    text: ANSWER,
    sent: { stream_options: undefined, reasoning_effort: undefined, max_completion_tokens: 2_000 },
    requests: 4,
  },
  'what is refused cannot be left out': {
    replies: [errorReply({ message: 'The model `m` does not exist', code: 'model_not_found', param: 'model' }, 404)],
    code: 'model_unavailable',
    requests: 1,
  },
  'the same is refused for ever': {
    replies: Array.from({ length: 20 }, () => errorReply({ message: 'x', param: 'stream_options' })),
    code: 'model_unavailable',
    requests: 2,
  },
  'GPT-5 reasons little unless told otherwise': { model: 'gpt-5-mini', replies: [], text: ANSWER, sent: { reasoning_effort: 'low' } },
  'GPT-5 reasons as it is told': {
    model: 'openai/gpt-5',
    settings: { reasoningEffort: 'high' },
    replies: [],
    text: ANSWER,
    sent: { reasoning_effort: 'high' },
  },
  'other models reason as they do': { model: 'gpt-5-chat-latest', replies: [], text: ANSWER, sent: { reasoning_effort: undefined } },
  'a template has no place for instructions': {
    replies: [errorReply({ message: 'System role not supported' })],
    text: ANSWER,
    sent: { messages: [{ role: 'user', content: expect.stringMatching(/^Be kind\.[\s\S]*How are you\?$/) }] },
    log: 'instructions in the first message',
  },
}

const withoutTools = (message: string, status = 400): Dialect => ({
  replies: [errorReply({ message }, status)],
  text: ANSWER,
  sent: { tools: undefined, tool_choice: undefined },
  requests: 2,
  log: 'without tools',
})

const TOOLLESS: Record<string, Dialect> = {
  Ollama: withoutTools('registry.ollama.ai/library/gemma:2b does not support tools'),
  vLLM: withoutTools('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
  'llama.cpp': withoutTools('tools param requires --jinja flag', 500),
  OpenRouter: withoutTools(
    'No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs',
    404,
  ),
  Groq: withoutTools('`tool calling` is not supported with this model'),
  LiteLLM: withoutTools("litellm.UnsupportedParamsError: ollama does not support parameters: ['tools'], for model=gemma"),
  DeepSeek: withoutTools('deepseek-reasoner does not support Function Calling'),
  Gemma: withoutTools('Function calling is not enabled for models/gemma-3-27b-it'),
  Bedrock: withoutTools("This model doesn't support tool use in streaming mode."),
  OpenAI: withoutTools('tools is not supported in this model. For a list of supported models, refer to https://platform.openai.com/docs'),
}

export const ONLY_RESPONSES = 'This model is only supported in v1/responses and not in v1/chat/completions.'

const RESPONSES: Record<string, Dialect> = {
  'a model is served there alone': {
    replies: [
      errorReply({ message: ONLY_RESPONSES, type: 'invalid_request_error', param: 'model', code: null }, 404),
      responses({ text: 'Yes.' }),
    ],
    text: 'Yes.',
    sent: { store: false, max_output_tokens: 2_000, messages: undefined },
    requests: 2,
    log: 'only the Responses API',
  },
  'tools together with reasoning are': {
    settings: { reasoningEffort: 'low' },
    replies: [
      errorReply({
        message:
          "Function tools with reasoning_effort are not supported for m in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
        param: 'reasoning_effort',
      }),
      responses({ call: { name: 'calculator', arguments: '{"expression":"6*7"}' } }),
      responses({ text: '42.' }),
    ],
    text: '42.',
    sent: { reasoning: { effort: 'low' } },
    requests: 3,
  },
  'it refuses a parameter': {
    replies: [
      errorReply({ message: ONLY_RESPONSES }, 404),
      errorReply({ message: "Unsupported parameter: 'tool_choice'", param: 'tool_choice' }),
      responses({ text: 'Yes.' }),
    ],
    text: 'Yes.',
    sent: { tool_choice: undefined },
    requests: 3,
  },
  'it finds the prompt too long': {
    replies: [
      errorReply({ message: ONLY_RESPONSES }, 404),
      errorReply({ message: 'Your input exceeds the context window of this model.', code: 'context_length_exceeded' }),
    ],
    code: 'context_too_long',
  },
}

/** All known quirks. Add a row for a new one. */
export const DIALECTS: Record<string, Record<string, Dialect>> = {
  STREAMS,
  FIELDS,
  EMPTY,
  ERRORS,
  CALLS,
  THOUGHTS,
  PARAMETERS,
  TOOLLESS,
  CONTEXTS,
  RESPONSES,
}
