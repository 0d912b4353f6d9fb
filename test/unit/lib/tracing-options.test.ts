import { describe, expect, it } from '@jest/globals';
import { tracingOptions } from '../../../src/lib/create-tracer.ts';

const endpoint = 'http://collector:4318';
const url = `${endpoint}/v1/traces`;

describe('what the environment says of traces', () => {
  it.each<[sentence: string, env: Readonly<Record<string, string>>, options: object | null]>([
    ['is off without an endpoint', {}, null],
    ['is off with an empty endpoint', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }, null],
    ['is every trace to /v1/traces', { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, { url, sampleRatio: 1 }],
    ['has no slash twice', { OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint}/` }, { url, sampleRatio: 1 }],
    [
      'is a part of the traces',
      { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: '0.25' },
      { url, sampleRatio: 0.25 },
    ],
    [
      'may be none of the traces',
      { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: '0' },
      { url, sampleRatio: 0 },
    ],
  ])('%s', (_, env, options) => {
    expect(tracingOptions(env)).toEqual(options);
  });

  it.each<[sentence: string, env: Readonly<Record<string, string>>, complaint: string]>([
    ['an address without a scheme', { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'ENDPOINT is not valid'],
    ['another protocol', { OTEL_EXPORTER_OTLP_ENDPOINT: 'grpc://collector:4317' }, 'ENDPOINT is not valid'],
    ...['2', '-1', 'all', ' '].map(
      (ratio) =>
        [
          `the ratio '${ratio}'`,
          { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio },
          'SAMPLER_ARG is not valid',
        ] as [string, Record<string, string>, string],
    ),
  ])('refuses %s', (_, env, complaint) => {
    expect(() => tracingOptions(env)).toThrow(complaint);
  });
});
