/** The lines of a text, without their ends. Splits at line feeds alone: JSON may contain other line separators. */
export async function* splitLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let pending: string[] = []
  for await (const chunk of chunks) {
    const [first = '', ...others] = chunk.split('\n')
    pending.push(first)
    for (const next of others) {
      yield pending.join('')
      pending = [next]
    }
  }
  const last = pending.join('')
  if (last !== '') yield last
}
