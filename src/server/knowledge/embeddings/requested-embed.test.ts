import { expect, test } from 'vitest'
import type { Embed } from './embed.ts'
import { EmbedResponder, RequestedEmbed } from './requested-embed.ts'

/** Both sides, without the thread between them. */
function requested(embed: Embed) {
  const responder = new EmbedResponder(embed)
  const requests = new RequestedEmbed((request) => responder.receive(request, (reply) => requests.settle(reply)))
  return { embed: requests.embed, responder }
}

test('texts are embedded by the model of the other side', async () => {
  const { embed } = requested(async (texts) => texts.map(({ length }) => [length]))
  const { signal } = new AbortController()
  expect(await Promise.all([embed(['a', 'bc'], signal), embed(['def'], signal)])).toEqual([[[1], [2]], [[3]]])
})

test('a failure of the model, and what is aborted, is rejected', async () => {
  const { embed } = requested(() => Promise.reject(new Error('secret')))
  await expect(embed(['a'], new AbortController().signal)).rejects.toThrow('The local embedding model gives no vectors.')
  await expect(embed(['a'], AbortSignal.abort(new Error('late')))).rejects.toThrow('late')
})

test('the model is stopped when its text is not wanted any more, or the other side has ended', async () => {
  const stopped: string[] = []
  const { embed, responder } = requested(([text = ''], signal) => {
    signal.addEventListener('abort', () => stopped.push(text))
    return new Promise(() => undefined)
  })
  const aborted = new AbortController()
  const embedding = embed(['aborted'], aborted.signal)
  embed(['ended'], new AbortController().signal).catch(() => undefined)
  aborted.abort(new Error('late'))
  await expect(embedding).rejects.toThrow('late')
  expect(stopped).toEqual(['aborted'])
  responder.cancelAll()
  expect(stopped).toEqual(['aborted', 'ended'])
})
