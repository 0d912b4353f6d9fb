import { ConfigError } from './config-file.ts';

/** Where traces are sent, and how many. */
export interface TracingOptions {
  /** URL that spans are posted to */
  readonly url: string;
  /** part of the reconciles and requests that are traced, 0 to 1 */
  readonly sampleRatio: number;
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
