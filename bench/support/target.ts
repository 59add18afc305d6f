/** A streaming request that the client of the benches makes. */
export interface Target {
  name: string
  url: string
  headers: Record<string, string>
  body: string
  /** Bytes that identify the first piece of the answer. */
  mark: string
  /** Number of visitors that take turns, each with an id and an IPv6 /48 of its own. */
  visitors?: number
}

const PROMPT = 'Say hello, please.'

/** The model's own protocol, directly or through a proxy; `origin` excludes `/v1`. */
export function modelTarget(name: string, origin: string): Target {
  const body = JSON.stringify({ model: 'scripted', stream: true, messages: [{ role: 'user', content: PROMPT }] })
  return { name, url: `${origin}/v1/chat/completions`, headers: headersFor(body), body, mark: '"content":"' }
}

/** The prompt call, with a new session per prompt, under the id of a client without cookies. */
export function parleyTarget(
  name: string,
  origin: string,
  accept: 'text/event-stream' | 'application/json' = 'text/event-stream',
  id = 'bench-client',
): Target {
  const body = JSON.stringify({ prompt: PROMPT })
  const headers = { ...headersFor(body), accept }
  return {
    name,
    url: `${origin}/api/v1/agent/chat/${id}`,
    headers,
    body,
    mark: accept === 'application/json' ? '"response":"' : '"text-delta"',
  }
}

function headersFor(body: string): Record<string, string> {
  return { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
}
