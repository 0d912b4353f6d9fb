import { describe, expect, it } from '@jest/globals';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { decidingSiblings, competitorOf } from '../../../src/rules/precedence.ts';
import { servesAsPrimary } from '../../../src/rules/domain-head.ts';
import { claim, domain } from '../../support/snapshot.ts';

/** Which primary visitors get: one that was accepted as one and is served, not one that only says so. */

const servedAs = { role: 'Primary' } as const;

describe('a domain serves as the primary', () => {
  it.each<[string, Partial<ProjectDomain['spec']>, ProjectDomain['status'], boolean]>([
    ['once it is accepted and Live', {}, { state: 'Live', servedAs }, true],
    ['while it is Degraded', {}, { state: 'Degraded', servedAs }, true],
    ['not before it is served', {}, { state: 'Verified', servedAs }, false],
    ['not when it is Suspended', {}, { state: 'Suspended', servedAs }, false],
    ['not where it was accepted as a redirect', {}, { state: 'Live', servedAs: { role: 'Redirect' } }, false],
    ['not where nothing says how it is served', {}, { state: 'Live' }, false],
    [
      'not once it asks to be a redirect',
      { role: 'Redirect', redirect: { to: 'a.test' } },
      { state: 'Live', servedAs },
      false,
    ],
    ['not as a wildcard', { hostname: '*.example.com' }, { state: 'Live', servedAs }, false],
  ])('%s', (_title, spec, status, isServing) => {
    expect(servesAsPrimary(domain({ spec, status }))).toBe(isServing);
  });

  it('and goes before one that was proven earlier, of however many', () => {
    const named = (hostname: string, status: ProjectDomain['status']) => {
      const one = domain({ spec: { hostname }, status });
      return { ...one, metadata: { ...one.metadata, name: hostname } };
    };
    const of = (one: ProjectDomain, at: string) =>
      competitorOf(
        one,
        claim({ holder: { namespace: 'acme', name: one.metadata.name }, proof: { method: 'TXT', at } }),
        'acc-acme',
      );
    const first = of(named('a.test', { state: 'Live' }), '2025-01-01T00:00:00Z');
    const serving = of(named('b.test', { state: 'Live', servedAs }), '2026-01-01T00:00:00Z');
    const siblingsOf = decidingSiblings([first, serving], 50);
    expect(siblingsOf({}, first)).toEqual([serving]);
    expect(siblingsOf({}, serving)).toEqual([]);
  });
});
