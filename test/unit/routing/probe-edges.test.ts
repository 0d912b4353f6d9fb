import { describe, expect, it } from '@jest/globals';
import type { ProbeResult } from '../../../src/routing/https-probe.ts';
import { probeEdges } from '../../../src/routing/probe-edges.ts';

const ok: ProbeResult = { ok: true };
const failed: ProbeResult = { ok: false, code: 'Unreachable', detail: 'ECONNREFUSED' };
const edgeOf = (edge: string, result: ProbeResult) => ({ edge, probe: { ask: () => Promise.resolve(result) } });

describe('a probe of several edges', () => {
  it.each<[sentence: string, results: readonly ProbeResult[], wanted: ProbeResult]>([
    ['is answered once each answers', [ok, ok], ok],
    ['is not while one does not, which it names', [ok, failed], { ...failed, detail: 'b: ECONNREFUSED' }],
    ['names none where there is one', [failed], failed],
  ])('%s', async (_, results, wanted) => {
    const probe = probeEdges(results.map((result, index) => edgeOf('ab'[index] ?? '', result)));
    const request = { hostname: 'shop.example.com', notAfter: '2026-01-01T00:00:00Z' };
    expect(await probe.ask(request, AbortSignal.timeout(1_000))).toEqual(wanted);
  });
});
