import { describe, expect, it } from '@jest/globals';
import type { ProbeResult } from '../../../src/routing/https-probe.ts';
import { probeEdges } from '../../../src/routing/https-probe.ts';

const ok: ProbeResult = { ok: true };
type Failed = Extract<ProbeResult, { readonly ok: false }>;
const failed: Failed = { ok: false, code: 'Unreachable', detail: 'ECONNREFUSED' };
const down = { ok: false, code: 'NoAnswer', detail: 'answered with status 503', isForeign: false } as const;
const foreign = { ok: false, code: 'WrongCertificate', detail: 'of another', isForeign: true } as const;
const at = (edge: string, result: Failed) => ({ ...result, detail: `${edge}: ${result.detail}` });
const edgeOf = (edge: string, result: ProbeResult) => ({ edge, probe: { ask: () => Promise.resolve(result) } });

describe('a probe of several edges', () => {
  it.each<[sentence: string, results: readonly ProbeResult[], wanted: ProbeResult]>([
    ['is answered once each answers', [ok, ok], ok],
    ['is not while one does not, which it names', [ok, failed], { ...failed, detail: 'b: ECONNREFUSED' }],
    ['names none where there is one', [failed], failed],
    ['tells of a foreign certificate before an application that is down', [down, foreign], at('b', foreign)],
    ['tells of a foreign certificate before an edge that is away', [failed, foreign], at('b', foreign)],
    ['tells of an edge that is away before an application that is down', [down, failed], at('b', failed)],
  ])('%s', async (_, results, wanted) => {
    const probe = probeEdges(results.map((result, index) => edgeOf('ab'[index] ?? '', result)));
    const request = { hostname: 'shop.example.com', notAfter: '2026-01-01T00:00:00Z' };
    expect(await probe.ask(request, new AbortController().signal)).toEqual(wanted);
  });
});
