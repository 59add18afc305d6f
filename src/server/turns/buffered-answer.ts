/** More chunks stay with the model until the verdict, which reads on when they are taken. */
const MAX_BUFFERED_CHUNKS = 1_000

/**
 * The chunks of an answer, which is written while a verdict is awaited, and yielded from the verdict on. Whatever the verdict replaces is
 * dropped: the answer is ended by `abort`, and nothing of it is yielded. An answer that fails waits for the verdict too. The verdict must not
 * reject.
 */
export async function* bufferedAnswer<Chunk>(
  answer: AsyncIterable<Chunk>,
  { replaces, abort }: { replaces: Promise<boolean>; abort: () => void },
): AsyncGenerator<Chunk, void, undefined> {
  const chunks = answer[Symbol.asyncIterator]()
  const buffered: Settled<Chunk>[] = []
  const verdict = replaces.then((isReplaced) => ({ isReplaced }))
  let next = settled(chunks.next())
  for (;;) {
    const first = await Promise.race([verdict, buffered.length < MAX_BUFFERED_CHUNKS ? next : verdict])
    if ('isReplaced' in first) {
      if (first.isReplaced) break
      for (const { result } of buffered) if (!result.done) yield result.value
      for (let last = await next; ; last = await settled(chunks.next())) {
        if (last.error) throw last.error.cause
        if (last.result.done) return
        yield last.result.value
      }
    }
    if (first.error || first.result.done) {
      // Nothing more comes; the verdict decides whether that is shown.
      if ((await verdict).isReplaced) break
      for (const { result } of buffered) if (!result.done) yield result.value
      if (first.error) throw first.error.cause
      return
    }
    buffered.push(first)
    next = settled(chunks.next())
  }
  abort()
  await chunks.return?.()
}

type Settled<Chunk> = { result: IteratorResult<Chunk, unknown>; error?: undefined } | { error: { cause: unknown }; result: { done: true } }

/** The outcome as a value, so that a failure that nobody awaits yet is not unhandled. */
function settled<Chunk>(next: Promise<IteratorResult<Chunk, unknown>>): Promise<Settled<Chunk>> {
  return next.then(
    (result): Settled<Chunk> => ({ result }),
    (cause: unknown): Settled<Chunk> => ({ error: { cause }, result: { done: true } }),
  )
}
