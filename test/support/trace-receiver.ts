import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A span as OTLP/HTTP transports it in JSON. */
export interface ReceivedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  /** 2: server, 3: client. */
  kind: number
  attributes: Record<string, unknown>
  /** `code` 2: error. */
  status: { code?: number; message?: string }
  events?: unknown[]
}

export interface TraceReceiver {
  url: string
  headers: Record<string, unknown>[]
  /** All that was received, as text. */
  text(): string
  spans(): ReceivedSpan[]
  /** Replies with 503 from now on, or accepts again. */
  refuse(refuses: boolean): void
  /** How many requests were refused. */
  refused(): number
  close(): void
}

interface AnyValue {
  stringValue?: string
  intValue?: number | string
  doubleValue?: number
  arrayValue?: { values: AnyValue[] }
}

interface Exported {
  resourceSpans: { scopeSpans: { spans: (Omit<ReceivedSpan, 'attributes'> & { attributes: { key: string; value: AnyValue }[] })[] }[] }[]
}

/** An OpenTelemetry collector, as far as traces go. */
export async function startTraceReceiver(): Promise<TraceReceiver> {
  const bodies: string[] = []
  const headers: Record<string, unknown>[] = []
  let refuses = false
  let refused = 0
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      if (refuses) refused += 1
      else if (request.url === '/v1/traces') bodies.push(body)
      headers.push(request.headers)
      response.writeHead(refuses ? 400 : 200, { 'content-type': 'application/json' }).end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    headers,
    text: () => bodies.join('\n'),
    spans: () => bodies.flatMap((body) => spansIn(JSON.parse(body) as Exported)),
    refuse: (value) => (refuses = value),
    refused: () => refused,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function spansIn({ resourceSpans }: Exported): ReceivedSpan[] {
  return resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .map((span) => ({ ...span, attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, plain(value)])) }))
}

function plain({ stringValue, intValue, doubleValue, arrayValue }: AnyValue): unknown {
  if (arrayValue) return arrayValue.values.map(plain)
  return intValue === undefined ? (stringValue ?? doubleValue) : Number(intValue)
}
