/** Reply of a parser process. An error carries no message, which might quote the file. */
export type ParserReply<Result> = { kind: 'parsed'; value: Result } | { kind: 'threw' }

type Parse<Result> = (request: never) => Promise<Result> | Result

/** Runs a parser in this process, the child of a `ParserProcess`, for one request after the other. */
export function serveParser<Result>(parse: Parse<Result>): void {
  process.on('message', (request) => {
    replyTo(parse, request as never).then(
      (reply) => process.send?.(reply),
      () => process.exit(1),
    )
  })
  process.on('disconnect', () => process.exit())
}

async function replyTo<Result>(parse: Parse<Result>, request: never): Promise<ParserReply<Result>> {
  try {
    return { kind: 'parsed', value: await parse(request) }
  } catch {
    return { kind: 'threw' }
  }
}
