import { type Dialect, DONE, line, raw, textReply } from './dialect.ts'

const event = (body: object) => `data: ${JSON.stringify(body)}\n\n`

/** Fields that are empty, odd or somebody's own. */
export const FIELDS: Record<string, Dialect> = {
  'begins with nulls': {
    replies: [raw(event({ choices: [{ index: 0, delta: null }] }), line({ role: null, content: null }), line({ content: 'Yes.' }, 'stop'))],
    text: 'Yes.',
  },
  'begins with the results of a filter': {
    replies: [raw(event({ choices: [], prompt_filter_results: [{}] }), line({ content: 'Yes.' }, 'stop'), DONE)],
    text: 'Yes.',
  },
  'details its reasoning': {
    replies: [raw(line({ reasoning_details: [{ type: 'reasoning.text', text: 'Hm.' }] }), line({ content: 'Yes.' }, 'stop'), DONE)],
    text: 'Yes.',
  },
  'counts no tokens': { replies: [raw(line({ content: 'Yes.' }, 'stop'), event({ choices: [], usage: null }), DONE)], text: 'Yes.' },
  'counts tokens that cannot be': {
    replies: [raw(line({ content: 'Yes.' }, 'stop'), event({ choices: [], usage: { prompt_tokens: '12', completion_tokens: -5 } }), DONE)],
    text: 'Yes.',
  },
  'filters its answer': {
    replies: [raw(line({ content: 'So' }), line({}, 'content_filter'), DONE)],
    text: 'So',
    code: 'answer_blocked',
  },
}

/** Replies without an answer that somebody could read. */
export const EMPTY: Record<string, Dialect> = {
  'reasoning and an empty text': {
    replies: [raw(line({ reasoning_content: 'Hm.' }), line({ content: '' }), line({}, 'stop'), DONE)],
    reasoning: 'Hm.',
    code: 'model_failed',
  },
  'the answer as reasoning': {
    replies: [raw(line({ reasoning: 'It opens at 9.' }), line({}, 'stop'), DONE)],
    reasoning: 'It opens at 9.',
    code: 'model_failed',
  },
  'thoughts in tags': { replies: [textReply('<think>Hm.</think>', '\n\n')], reasoning: 'Hm.', code: 'model_failed' },
  'white space': { replies: [textReply('\n\n', '   \n')], text: '\n\n   \n', code: 'model_failed' },
  'characters that show nothing': { replies: [textReply('\u200B\u2060\uFEFF')], text: '\u200B\u2060\uFEFF', code: 'model_failed' },
  'the end of a turn': { replies: [textReply('<|im_end|>')], code: 'model_failed' },
  'an outcome': { replies: [textReply('<outcome>answered</outcome>')], code: 'model_failed' },
  'a citation without a source': { replies: [textReply('[1]')], code: 'model_failed' },
}
