import { beforeAll, describe, expect, it } from '@jest/globals';
import { Registry } from '@prometheus-io/client';
import { createProcessMetrics } from '../../../src/lib/process-metrics.ts';

const registry = new Registry();
let metrics: readonly { readonly name: string; readonly type: string; readonly help: string }[] = [];

beforeAll(async () => {
  createProcessMetrics(registry);
  metrics = (await registry.getMetricsAsJSON()).map(({ name, type, help }) => ({ name, type: String(type), help }));
});

/** Rules of promlint (github.com/prometheus/client_golang, prometheus/testutil/promlint) about names, for what every process prints. */
describe('what every process prints', () => {
  it.each<[string, (metric: { readonly name: string; readonly type: string; readonly help: string }) => boolean]>([
    ['has a help text', ({ help }) => help !== ''],
    ['ends with _total where it is a counter', ({ name, type }) => type !== 'counter' || name.endsWith('_total')],
    ['and nowhere else', ({ name, type }) => type === 'counter' || !name.endsWith('_total')],
    ['has no suffix of a histogram', ({ name }) => !/_(?:bucket|count|sum)$/.test(name)],
    ['does not name its type', ({ name }) => !/(?:^|_)(?:counter|gauge|histogram|summary)(?:_|$)/.test(name)],
    [
      'is in base units',
      ({ name }) => !/_(?:ms|milliseconds|minutes|hours|days|kilobytes|megabytes)(?:_|$)/.test(name),
    ],
    ['is in lower case', ({ name }) => /^[a-z][a-z0-9_]*$/.test(name)],
  ])('%s', (_, holds) => {
    expect(metrics.length).toBeGreaterThan(20);
    expect(metrics.filter((metric) => !holds(metric)).map(({ name }) => name)).toEqual([]);
  });
});
