/** A streaming request that the client of the benches makes. */
export interface Target {
  name: string
  url: string
  headers: Record<string, string>
  body: string
  /** Bytes by which the first piece of the answer is known. */
  mark: string
  /** Of so many visitors each request is the next one's, with an id and an IPv6 /48 of their own. */
  visitors?: number
}

const PROMPT = 'Say hello, please.'

/** The model's own protocol, straight or through a proxy; `origin` is without `/v1`. */
export function modelTarget(name: string, origin: string): Target {
  const body = JSON.stringify({ model: 'scripted', stream: true, messages: [{ role: 'user', content: PROMPT }] })
  return { name, url: `${origin}/v1/chat/completions`, headers: headersFor(body), body, mark: '"content":"' }
}

/** The prompt call, with a new session for each prompt, under an id that a client without cookies chose. */
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
