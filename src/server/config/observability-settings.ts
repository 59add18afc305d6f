import { z } from 'zod'
import { oneOf, text, url } from './setting-schemas.ts'

/** `name=value` pairs with commas between them; values are percent-encoded. */
const HEADERS = /^[\w!#$%&'*+.^`|~-]+=[^,=]*(?:,\s*[\w!#$%&'*+.^`|~-]+=[^,=]*)*$/

export const OBSERVABILITY_ENVIRONMENT = {
  METRICS_TOKEN: text
    .min(16, 'must have at least 16 characters')
    .optional()
    .describe('Bearer token for `GET /metrics`, for Prometheus. Metrics are off if unset.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: url(/^https?$/, 'http://127.0.0.1:4318')
    .optional()
    .describe('Base URL of an OpenTelemetry collector that receives traces by OTLP over HTTP. Traces are off if unset.'),
  OTEL_EXPORTER_OTLP_HEADERS: text
    .regex(HEADERS, 'must be names and values like authorization=Bearer%20token, separated by commas')
    .refine(isDecodable, 'must be percent-encoded')
    .optional()
    .describe('Headers for `OTEL_EXPORTER_OTLP_ENDPOINT`, as `name=value` separated by commas.'),
  OTEL_SERVICE_NAME: text.max(200).default('parley').describe('Name of this service in traces.'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number('must be a share from 0 to 1')
    .min(0, 'must be a share from 0 to 1')
    .max(1, 'must be a share from 0 to 1')
    .default(1)
    .describe('Share of requests that are traced, from 0 to 1.'),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug')
    .default('warn')
    .describe('Minimum level of log messages. Logs are JSON lines.'),
}

type ObservabilityEnvironment = z.infer<z.ZodObject<typeof OBSERVABILITY_ENVIRONMENT>>

export function observabilitySettings(environment: ObservabilityEnvironment) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers = '' } = environment
  return {
    metricsToken: environment.METRICS_TOKEN ?? null,
    logLevel: environment.LOG_LEVEL,
    tracing: endpoint
      ? { endpoint, headers: headersOf(headers), serviceName: environment.OTEL_SERVICE_NAME, ratio: environment.OTEL_TRACES_SAMPLER_ARG }
      : null,
  }
}

function headersOf(pairs: string): Record<string, string> {
  return Object.fromEntries(
    pairs
      .split(',')
      .map((pair) => pair.trim().split('=', 2) as [string, string])
      .filter(([name]) => name !== '')
      .map(([name, value]) => [name, decodeURIComponent(value)]),
  )
}

function isDecodable(value: string): boolean {
  try {
    decodeURIComponent(value)
    return true
  } catch {
    return false
  }
}
