import type { Script } from './scripted-model.ts'

/** https://platform.openai.com/docs/api-reference/responses-streaming */
export const responses = (...items: ({ text: string } | { call: { name: string; arguments: string } })[]): Script => {
  const event = (data: { type: string; [key: string]: unknown }) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
  const head = { id: 'resp_1', created_at: 1, model: 'm', service_tier: null }
  const output = items.flatMap((item, output_index) => {
    const id = `item_${output_index}`
    if ('call' in item) {
      const call = { type: 'function_call', id, call_id: 'call_1', status: 'completed', ...item.call }
      return [
        event({ type: 'response.output_item.added', output_index, item: { ...call, arguments: '' } }),
        event({ type: 'response.function_call_arguments.delta', output_index, item_id: id, delta: item.call.arguments }),
        event({ type: 'response.output_item.done', output_index, item: call }),
      ]
    }
    const message = { type: 'message', id, role: 'assistant', content: [] }
    return [
      event({ type: 'response.output_item.added', output_index, item: message }),
      event({ type: 'response.output_text.delta', output_index, content_index: 0, item_id: id, delta: item.text, logprobs: [] }),
      event({ type: 'response.output_item.done', output_index, item: message }),
    ]
  })
  const usage = { input_tokens: 11, output_tokens: 7, output_tokens_details: { reasoning_tokens: 0 } }
  const events = [
    event({ type: 'response.created', response: head }),
    ...output,
    event({ type: 'response.completed', response: { ...head, incomplete_details: null, usage } }),
  ]
  return { headers: { 'content-type': 'text/event-stream' }, body: events.join('') }
}
