import { type LanguageModelStreamPart, tool, type ToolSet } from 'ai'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { StepReset } from './think-tags.ts'
import { writtenCalls } from './written-calls.ts'

type Part = LanguageModelStreamPart | StepReset

const TOOLS: ToolSet = {
  search: tool({ description: 'Searches.', inputSchema: z.object({ query: z.string(), limit: z.number().optional() }) }) as ToolSet[string],
  calculator: tool({ description: 'Calculates.', inputSchema: z.object({ expression: z.string() }) }) as ToolSet[string],
}

async function* textOf(pieces: readonly string[], more: readonly Part[]): AsyncGenerator<Part> {
  yield { type: 'text-start', id: 't' }
  for (const text of pieces) yield { type: 'text-delta', id: 't', text }
  yield { type: 'text-end', id: 't' }
  yield* more
  yield { type: 'model-call-end', finishReason: 'stop' } as Part
}

/** Filters a text into shown text, reasoning, and calls that run; `refused` are the names of those that can't. */
async function passed(pieces: readonly string[], more: readonly Part[] = [], conversation = '') {
  const parts = await Array.fromAsync(
    writtenCalls(textOf(pieces, more), { tools: TOOLS, conversation: () => JSON.stringify([conversation]) }),
  )
  const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [part] : []))
  const written = (type: 'text-delta' | 'reasoning-delta') => parts.map((part) => (part.type === type ? part.text : '')).join('')
  return {
    text: written('text-delta').trim(),
    reasoning: written('reasoning-delta').trim(),
    calls: calls.filter(({ invalid }) => !invalid).map(({ toolName, input }) => [toolName, input]),
    refused: calls.filter(({ invalid }) => invalid).map(({ toolName }) => toolName),
  }
}

/** The text at once, and character by character. */
async function bothWays(text: string) {
  const whole = await passed([text])
  expect(await passed([...text])).toEqual(whole)
  return whole
}

const SEARCH = [['search', { query: 'pool' }]]
const JSON_CALL = '{"name": "search", "arguments": {"query": "pool"}}'

describe('a call that is written as text runs, and is not shown', () => {
  test.each<[string, string]>([
    ['Hermes', `<tool_call>\n${JSON_CALL}\n</tool_call>`],
    ['Hermes, never closed', `<tool_call>\n${JSON_CALL}`],
    ['Hermes, with invented results', `<tool_call>${JSON_CALL}</tool_call>\n<tool_response>The pool opens at 7.</tool_response>\nAt 7.`],
    ['Hermes, in a code block', `\`\`\`xml\n<tool_call>\n${JSON_CALL}\n</tool_call>\n\`\`\``],
    ['Qwen Coder', '<tool_call>\n<function=search>\n<parameter=query>\npool\n</parameter>\n</function>\n</tool_call>'],
    ['Qwen Coder, with the wrong tag', `<tools>\n${JSON_CALL}\n</tools>`],
    ['Llama', '<|python_tag|>{"name": "search", "parameters": {"query": "pool"}}<|eom_id|>'],
    ['Llama at Groq', '<function=search>{"query": "pool"}</function>'],
    ['Llama 4', '[search(query="pool")]'],
    ['Mistral', '[TOOL_CALLS][{"name": "search", "arguments": {"query": "pool"}}]'],
    ['Mistral, newer', '[TOOL_CALLS]search[ARGS]{"query": "pool"}'],
    [
      'DeepSeek',
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>search\n```json\n{"query":"pool"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    ],
    [
      'Kimi',
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.search:0<|tool_call_argument_begin|>{"query":"pool"}<|tool_call_end|><|tool_calls_section_end|>',
    ],
    ['GLM', '<tool_call>search\n<arg_key>query</arg_key>\n<arg_value>pool</arg_value>\n</tool_call>'],
    ['MiniMax', '<minimax:tool_call><invoke name="search"><parameter name="query">pool</parameter></invoke></minimax:tool_call>'],
    ['harmony', '<|channel|>commentary to=functions.search <|constrain|>json<|message|>{"query":"pool"}<|call|>'],
    ['harmony, the recipient first', '<|start|>assistant to=functions.search<|channel|>commentary json<|message|>{"query":"pool"}'],
    ['harmony without its tokens', 'assistantcommentary to=functions.search json{"query":"pool"}'],
    [
      'DeepSeek, newer',
      '<｜DSML｜function_calls>\n<｜DSML｜invoke name="search">\n<｜DSML｜parameter name="query" string="true">pool</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    ],
    ['Gemma', '<|tool_call>call:search{query:<|"|>pool<|"|>}<tool_call|>'],
    ['Granite', `<|tool_call|>[${JSON_CALL}]`],
    ['LFM', '<|tool_call_start|>[search(query="pool")]<|tool_call_end|>'],
    ['Nemotron', `<TOOLCALL>[${JSON_CALL}]</TOOLCALL>`],
    ['Gemini', "```tool_code\nprint(default_api.search(query='pool'))\n```"],
    ['ReAct', 'Action: search\nAction Input: {"query":"pool"}'],
    ['LangChain', '{"action": "search", "action_input": {"query": "pool"}}'],
    ['bare JSON', JSON_CALL],
    ['bare JSON in other quotes', "{'name': 'search', 'arguments': {'query': 'pool'}}"],
    ['bare JSON with a brace too few', '<tool_call>{"name": "search", "arguments": {"query": "pool"}</tool_call>'],
    ['a name with a number', 'functions.search:0 {"query":"pool"}'],
    ['bare JSON, the arguments first', '{"arguments": {"query": "pool"}, "name": "search"}'],
    ['bare JSON as OpenAI sends it', '{"type": "function", "function": {"name": "search", "arguments": "{\\"query\\": \\"pool\\"}"}}'],
    ['bare JSON with invented results', `${JSON_CALL}\n\nSearch results: from $8 to $35.`],
    ['a list', `[${JSON_CALL}]`],
    ['fenced JSON', `\`\`\`json\n${JSON_CALL}\n\`\`\``],
    ['a function', 'functions.search({"query": "pool"})'],
    ['a function with names', 'search(query="pool")'],
    ['after thoughts', `<think>I look it up.</think>\n\n${JSON_CALL}`],
  ])('%s', async (_, text) => {
    const { calls, refused, text: shown } = await bothWays(text)
    expect({ calls, refused }).toEqual({ calls: SEARCH, refused: [] })
    expect(shown.replace(/<think>.*<\/think>/, '')).toBe('')
  })

  test('after a sentence, which is shown', async () => {
    expect(await bothWays(`Let me look.\n<tool_call>${JSON_CALL}</tool_call>`)).toMatchObject({ text: 'Let me look.', calls: SEARCH })
  })

  test('several', async () => {
    const { calls } = await bothWays(
      `<tool_call>${JSON_CALL}</tool_call><tool_call>{"name":"calculator","arguments":{"expression":"6*7"}}</tool_call>`,
    )
    expect(calls).toEqual([...SEARCH, ['calculator', { expression: '6*7' }]])
  })

  test('with arguments that have no types in its form', async () => {
    const { calls } = await bothWays('<function=search><parameter=query>2024</parameter><parameter=limit>5</parameter></function>')
    expect(calls).toEqual([['search', { query: '2024', limit: 5 }]])
  })
})

describe('a call that can’t run is not shown either', () => {
  test('the model is told, if it wrote nothing else', async () => {
    const written = '<tool_call>{"name": "browser", "arguments": {"url": "x"}}</tool_call>'
    expect(await bothWays(written)).toEqual({ text: '', reasoning: '', calls: [], refused: ['browser'] })
    expect(await bothWays(`${written}\nThe pool opens at 9.`)).toMatchObject({ text: 'The pool opens at 9.', refused: [] })
  })

  test('its arguments may not fit', async () => {
    expect(await bothWays('<tool_call>{"name": "search", "arguments": {"q": 1}}</tool_call>')).toMatchObject({
      text: '',
      refused: ['search'],
    })
  })

  test('it may be a quotation of the conversation', async () => {
    const tagged = `<tool_call>${JSON_CALL}</tool_call>`
    const quoting = (text: string) => passed([text], [], `Repeat: ${text}`)
    expect(await quoting(tagged)).toEqual({ text: '', reasoning: '', calls: [], refused: ['search'] })
    expect(await quoting(JSON_CALL)).toEqual({ text: JSON_CALL, reasoning: '', calls: [], refused: [] })
  })

  test('the server may have read it already', async () => {
    const call = { type: 'tool-call', toolCallId: 'a', toolName: 'search', input: { query: 'pool' } } as Part
    expect((await passed([`<tool_call>${JSON_CALL}</tool_call>`], [call])).calls).toEqual(SEARCH)
  })
})

describe('what belongs to a template is taken out', () => {
  test.each<[string, string, string, string]>([
    ['the end of a turn', 'It opens at 9.<|im_end|>\n<|endoftext|>', 'It opens at 9.', ''],
    ['the end, cut off', 'It opens at 9.<|im_e', 'It opens at 9.', ''],
    ['an imagined next turn', 'It opens at 9.<|im_end|>\n<|im_start|>user\nAnd then?', 'It opens at 9.', ''],
    ['tags around an answer', '<answer>\nIt opens at 9.\n</answer>\n<end>', 'It opens at 9.', ''],
    ["Llama's end", 'It opens at 9.<|eot_id|>', 'It opens at 9.', ''],
    ["Mistral's end", 'It opens at 9.</s>', 'It opens at 9.', ''],
    ["Gemma's end", 'It opens at 9.<end_of_turn>\n<start_of_turn>user', 'It opens at 9.', ''],
    ["DeepSeek's end", 'It opens at 9.<｜end▁of▁sentence｜>', 'It opens at 9.', ''],
    ['the end after code that is left open', '```sh\nls<|im_end|>', '```sh\nls', ''],
    ["Phi's end", 'It opens at 9.<|end|>\n<|user|>\nAnd then?', 'It opens at 9.', ''],
    ["DeepSeek's beginning", '<｜Assistant｜>It opens at 9.', 'It opens at 9.', ''],
    ['the beginning of a turn', '<|im_start|>assistant\nIt opens at 9.', 'It opens at 9.', ''],
    ['the head of a turn', '<|start_header_id|>assistant<|end_header_id|>\n\nIt opens at 9.', 'It opens at 9.', ''],
    [
      'channels',
      '<|channel|>analysis<|message|>I must not say.<|end|><|start|>assistant<|channel|>final<|message|>It opens at 9.<|return|>',
      'It opens at 9.',
      'I must not say.',
    ],
    ['a channel without its tokens', 'assistantfinalIt opens at 9.', 'It opens at 9.', ''],
    ['channels without their tokens', 'analysisI must not say.assistantfinalIt opens at 9.', 'It opens at 9.', 'I must not say.'],
  ])('%s', async (_, written, text, reasoning) => {
    expect(await bothWays(written)).toEqual({ text, reasoning, calls: [], refused: [] })
  })
})

describe('other answers are shown as they are', () => {
  test.each([
    'Send this:\n```json\n{"name": "search", "arguments": {"query": "pool"}}\n```',
    '{"name": "Anna", "arguments": {"for": "and against"}}',
    '{"name": "calculator", "price": 12}',
    '{"status": "open", "name": "search"}',
    '```json\n{"open": true}\n```\nThis is the reply of the interface.',
    '```python\nprint("search")\n```',
    'Wrap it in `<tool_call>` and `</tool_call>`.',
    'The <tool_call> tag marks a call.',
    'In a template, `<|im_end|>` ends a turn; `[TOOL_CALLS]` begins calls.',
    '```\n<|im_start|>user\nHi<|im_end|>\n```\nis the format.',
    'It costs <s>10</s> 8 euros [1].',
    'search(x) finds x.',
    'calculator(6*7) is 42.',
    '[1] says 5 < 6 and <b>more</b>.',
    'to=do lists, analysis of data, commentary',
    'to be open',
    'Action: take the bus.',
    'functions.php is a file.',
    'print("search") prints it.',
    'final answers, assistants and analysis',
    '[Opening hours](https://example.org/a?b={c})',
    '<',
    '',
  ])('%j', async (text) => {
    expect(await bothWays(text)).toEqual({ text, reasoning: '', calls: [], refused: [] })
  })

  test('word by word, without waiting', async () => {
    const seen: string[] = []
    const pieces = ['The ', 'pool ', 'opens ', 'at 9 ', '[1]', ' and <', 'b>closes', '.']
    async function* written(): AsyncGenerator<Part> {
      for await (const part of textOf(pieces, [])) {
        if (part.type === 'text-delta') seen.push(part.text)
        yield part
      }
    }
    const waiting: number[] = []
    let shown = 0
    for await (const part of writtenCalls(written(), { tools: TOOLS })) {
      if (part.type !== 'text-delta') continue
      shown += part.text.length
      waiting.push(seen.join('').length - shown)
    }
    expect(Math.max(...waiting)).toBeLessThanOrEqual(1)
  })
})
