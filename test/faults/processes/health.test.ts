import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Corner } from '../../../dev/platform/address.ts';
import { takeCorner } from '../../../dev/platform/address.ts';
import { serveHealth } from '../../../src/lib/health-server.ts';

/** What kubelets and Prometheus are answered: they go by the status alone. */

let corner: Corner;
let stop: () => Promise<void>;
let why: string | null = null;
let metrics: () => Promise<string>;

beforeAll(async () => {
  corner = await takeCorner();
  stop = await serveHealth(`${corner.address}:9404`, { notReady: () => why, metrics: () => metrics() });
});

afterAll(async () => {
  await stop();
  corner.release();
});

describe('a process tells', () => {
  it.each<
    [what: string, path: string, reason: string | null, figures: () => Promise<string>, answer: [number, string]]
  >([
    ['that it lives', '/livez', 'the caches are empty', () => Promise.resolve(''), [200, 'ok\n']],
    ['that it is ready', '/readyz', null, () => Promise.resolve(''), [200, 'ok\n']],
    ['why it is not', '/readyz', 'the caches are empty', () => Promise.resolve(''), [503, 'the caches are empty\n']],
    ['its figures', '/metrics', null, () => Promise.resolve('figures 1\n'), [200, 'figures 1\n']],
    ['that it has none', '/metrics', null, () => Promise.reject(new Error('no figures')), [500, 'no figures\n']],
    ['what there is', '/', null, () => Promise.resolve(''), [404, 'see /livez, /readyz and /metrics\n']],
  ])('%s', async (_, path, reason, figures, answer) => {
    [why, metrics] = [reason, figures];
    const response = await fetch(`http://${corner.address}:9404${path}`);
    expect([response.status, await response.text()]).toEqual(answer);
  });
});
