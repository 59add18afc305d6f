import { randomUUID } from 'node:crypto'
import { context, defaultTextMapGetter, defaultTextMapSetter, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { ATTRIBUTES } from './names.ts'
import { setTracing } from './spans.ts'

export interface TracingSettings {
  endpoint: string
  headers: Readonly<Record<string, string>>
  serviceName: string
  ratio: number
}

export interface TracingOptions extends TracingSettings {
  release: string
  /** Called when spans can't be delivered, and when they can again. */
  onChange: (isDelivered: boolean) => void
  exportIntervalMs?: number
}

const EXPORT_TIMEOUT_MS = 5_000
const EXPORT_INTERVAL_MS = 2_000
/** Spans that wait for an export; more are dropped. */
const MAX_QUEUED_SPANS = 4_096

/** Traces this process. Resolves to the function that delivers the last spans and ends tracing. */
export function startTracing(options: TracingOptions): () => Promise<void> {
  const { endpoint, headers, serviceName, ratio, release, onChange, exportIntervalMs = EXPORT_INTERVAL_MS } = options
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`
  const exporter = watched(new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: EXPORT_TIMEOUT_MS }), onChange)
  const byRatio = new TraceIdRatioBasedSampler(ratio)
  const provider = new TracerProvider({
    // A client may name the trace, but not decide whether it is recorded.
    sampler: new ParentBasedSampler({ root: byRatio, remoteParentSampled: byRatio, remoteParentNotSampled: byRatio }),
    resource: resourceFromAttributes({
      [ATTRIBUTES.serviceName]: serviceName,
      [ATTRIBUTES.serviceVersion]: release,
      [ATTRIBUTES.serviceInstance]: randomUUID(),
    }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: MAX_QUEUED_SPANS,
        scheduledDelayMillis: exportIntervalMs,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  setTracing({
    api: { context, trace, ROOT_CONTEXT, SpanKind, SpanStatusCode, defaultTextMapGetter, defaultTextMapSetter },
    tracer: provider.getTracer('parley', release),
    propagator: new W3CTraceContextPropagator(),
  })
  return async () => {
    setTracing(null)
    context.disable()
    await provider.shutdown().catch(() => undefined)
  }
}

/** Reports the first failed export, and the first that succeeds after it. */
function watched(exporter: SpanExporter, onChange: (isDelivered: boolean) => void): SpanExporter {
  let isDelivered = true
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const succeeded = result.code === ExportResultCode.SUCCESS
        if (succeeded !== isDelivered) onChange((isDelivered = succeeded))
        done(result)
      })
    },
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  }
}
