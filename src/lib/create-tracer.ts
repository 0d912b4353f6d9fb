import type { Log } from './log.ts';
import type { ProcessTracer } from './tracer.ts';
import { noTracer } from './tracer.ts';
import { tracingOptions } from './tracing-options.ts';

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
