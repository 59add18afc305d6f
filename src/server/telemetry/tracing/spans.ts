import { createHmac, randomBytes } from 'node:crypto'
import type * as Api from '@opentelemetry/api'
import type { Attributes, Context, Span, SpanKind, TextMapPropagator, Tracer } from '@opentelemetry/api'

/** Tracing API that `start-tracing.ts` loads. Not imported here, so servers without traces don't load the package. */
export interface Tracing {
  api: Pick<
    typeof Api,
    'context' | 'trace' | 'ROOT_CONTEXT' | 'SpanStatusCode' | 'SpanKind' | 'defaultTextMapGetter' | 'defaultTextMapSetter'
  >
  tracer: Tracer
  propagator: TextMapPropagator
}

export interface SpanOptions {
  kind?: keyof typeof SpanKind
  attributes?: Attributes
  /** Headers of the request that began it; may name a parent. */
  headers?: Readonly<Record<string, unknown>>
  agoMs?: number
}

/** A span that its owner ends. The first end counts. */
export interface OpenSpan {
  /** Runs within the span: those that begin in it are its children. */
  run: <T>(task: () => T) => T
  rename: (name: string) => void
  set: (attributes: Attributes) => void
  /** Marks it as failed with an error code or a name, never a message: messages can quote content. */
  fail: (errorType: string) => void
  end: () => void
}

const NO_SPAN: OpenSpan = { run: (task) => task(), rename: () => {}, set: () => {}, fail: () => {}, end: () => {} }

const PSEUDONYM_KEY = randomBytes(32)
const PSEUDONYM_CHARACTERS = 16

let tracing: Tracing | null = null

export function setTracing(value: Tracing | null): void {
  tracing = value
}

export function isTracing(): boolean {
  return tracing !== null
}

/** Whether this is part of a request or turn that goes on: timers that one has begun outlive it. */
export function isInSpan(): boolean {
  return tracing?.api.trace.getSpan(tracing.api.context.active())?.isRecording() ?? false
}

/** A name for an id that only this process can connect with it. */
export function pseudonymOf(id: string): string {
  return createHmac('sha256', PSEUDONYM_KEY).update(id).digest('hex').slice(0, PSEUDONYM_CHARACTERS)
}

/** Begins a span within the current one, or that of a request, which has headers. Does nothing else, and nothing without tracing. */
export function openSpan(name: string, { kind = 'INTERNAL', attributes = {}, headers, agoMs = 0 }: SpanOptions = {}): OpenSpan {
  if (!tracing) return NO_SPAN
  const { api, tracer, propagator } = tracing
  const parent = headers ? propagator.extract(api.ROOT_CONTEXT, headers, api.defaultTextMapGetter) : api.context.active()
  if (!headers && !api.trace.getSpan(parent)) return NO_SPAN
  const startTime = agoMs > 0 ? { startTime: Date.now() - agoMs } : {}
  const span: Span = tracer.startSpan(name, { kind: api.SpanKind[kind], attributes, ...startTime }, parent)
  const context: Context = api.trace.setSpan(parent, span)
  return {
    run: (task) => api.context.with(context, task),
    rename: (as) => span.updateName(as),
    set: (more) => span.setAttributes(more),
    fail: (errorType) => span.setAttribute('error.type', errorType).setStatus({ code: api.SpanStatusCode.ERROR }),
    end: () => span.end(),
  }
}

/** Runs a task within a span of its own, which fails with the task. */
export async function inSpan<T>(name: string, options: SpanOptions, task: (span: OpenSpan) => Promise<T>): Promise<T> {
  if (!tracing) return task(NO_SPAN)
  const span = openSpan(name, options)
  try {
    return await span.run(() => task(span))
  } catch (error) {
    span.fail(errorTypeOf(error))
    throw error
  } finally {
    span.end()
  }
}

export function errorTypeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'Error'
}

/** Headers that make the current span the parent of what another server does; none without tracing. */
export function traceHeaders(): Record<string, string> {
  if (!tracing) return {}
  const headers: Record<string, string> = {}
  tracing.propagator.inject(tracing.api.context.active(), headers, tracing.api.defaultTextMapSetter)
  return headers
}
