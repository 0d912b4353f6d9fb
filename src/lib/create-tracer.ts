import type { Log } from './log.ts';
import type { TracingOptions } from './otlp-tracer.ts';
import type { ProcessTracer } from './tracer.ts';
import { noTracer } from './tracer.ts';
import { ConfigError } from './config-file.ts';

export interface TracerParts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
}

/**
 * The tracer that the environment asks for; off without OTEL_EXPORTER_OTLP_ENDPOINT. The library is imported only when it
 * is on: it costs 25 MB. Rejects with a ConfigError when the environment is not valid.
 */
export async function createTracer(service: string, { env, log }: TracerParts): Promise<ProcessTracer> {
  const options = tracingOptions(env);
  if (options === null) return noTracer;
  const { createOtlpTracer } = await import('./otlp-tracer.ts');
  log.info({ url: new URL(options.url).origin, sampleRatio: options.sampleRatio }, 'sending traces');
  return createOtlpTracer({ ...options, service, log });
}

/**
 * Reads OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_TRACES_SAMPLER_ARG (OpenTelemetry, "Environment Variable Specification");
 * null without an endpoint. Throws a ConfigError when one of them is not valid.
 */
export function tracingOptions(env: Readonly<Record<string, string | undefined>>): TracingOptions | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio = '1' } = env;
  if (!endpoint) return null;
  if (!/^https?:\/\/\S/.test(endpoint) || !URL.canParse(endpoint))
    throw new ConfigError('OTEL_EXPORTER_OTLP_ENDPOINT is not valid: expected a URL of http or https');
  const sampleRatio = ratio.trim() === '' ? Number.NaN : Number(ratio);
  if (!(sampleRatio >= 0 && sampleRatio <= 1))
    throw new ConfigError('OTEL_TRACES_SAMPLER_ARG is not valid: expected a number from 0 to 1');
  return { url: `${endpoint.replace(/\/+$/, '')}/v1/traces`, sampleRatio };
}
