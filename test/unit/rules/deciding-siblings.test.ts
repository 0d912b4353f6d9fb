import { describe, expect, it } from '@jest/globals';
import type { AcceptanceCandidate } from '../../../src/rules/acceptance.ts';
import { rejectionOf } from '../../../src/rules/acceptance.ts';
import { decidingSiblings, comparePrecedence } from '../../../src/rules/precedence.ts';
import type { Competitor } from '../../../src/rules/precedence.ts';
import type { PlanLimits } from '../../../src/rules/plan-limits.ts';
import { effectiveLimits } from '../../../src/rules/plan-limits.ts';

import type { Random } from '../../support/every-call/random.ts';
import { seeded } from '../../support/every-call/random.ts';

/** Fails when a domain of a large project is judged by fewer siblings than matter to it, or by more than are needed. */

const hostnames = Array.from({ length: 12 }, (_, index) => `h${index}.example.com`).concat('*.example.com');
const plan: PlanLimits = {
  rateLimit: { requestsPerMinute: 300, requestsPerDay: 10_000 },
  customDomains: { enabled: true, maxPerProject: 50 },
};
const pick = <T>(random: Random, all: readonly T[]): T => all[random(all.length)] as T;

const competitor = (random: Random, index: number): Competitor => {
  const held = random(2) === 0;
  const at = () => `2026-01-0${1 + random(4)}T00:00:00Z`;
  return {
    namespace: 'acme',
    name: `d${index}`,
    hostname: pick(random, hostnames),
    role: random(5) === 0 ? 'Primary' : 'Redirect',
    precedence: { held, provedAt: held ? at() : '', createdAt: at(), key: `acme/d${index}` },
  };
};

const candidate = (self: Competitor, to: string | null, cap: number): Omit<AcceptanceCandidate, 'siblings'> => ({
  domain: {
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'ProjectDomain',
    metadata: { name: self.name, namespace: self.namespace },
    spec: {
      project: 'shop',
      hostname: self.hostname,
      ...(to === null ? { role: 'Primary' } : { role: 'Redirect', redirect: { to, status: 301 } }),
    },
  },
  canWildcard: true,
  platformDomains: [],
  account: {
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'Account',
    metadata: { name: 'acme' },
    spec: { plan: 'pro', id: 'i' },
  },
  limits: effectiveLimits(plan, { customDomains: { maxPerProject: cap } }),
  project: {
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'Project',
    metadata: { name: 'shop', namespace: 'acme' },
    spec: { subdomain: 'shop', service: { name: 'shop', port: 80 } },
    status: { deployedAt: '2026-01-01T00:00:00Z' },
  },
  platformHostname: null,
  claimRelation: { kind: 'Free', epoch: 1 },
  precedence: self.precedence,
  sameHostname: [],
});

describe('the siblings that decide', () => {
  it.each([1, 2, 3])('are few, and decide as all of them do, in projects of any size (seed %d)', (seed) => {
    const random = seeded(seed);
    const reasons = new Set<string | undefined>();
    for (let round = 0; round < 400; round += 1) {
      const all = Array.from({ length: 1 + random(40) }, (_, index) => competitor(random, index));
      const inOrder = all.toSorted((a, b) => comparePrecedence(a.precedence, b.precedence));
      const cap = 1 + random(45);
      const siblingsOf = decidingSiblings(all, cap);
      for (const self of all) {
        const to = random(3) === 0 ? null : pick(random, hostnames);
        const spec = to === null ? {} : { redirect: { to, status: 301 as const } };
        const deciding = siblingsOf(spec, self);
        const asked = candidate(self, to, cap);
        const siblings = inOrder.filter((other) => other !== self);
        const rejection = rejectionOf({ ...asked, siblings });
        expect(rejectionOf({ ...asked, siblings: deciding })).toEqual(rejection);
        expect(deciding.length).toBeLessThanOrEqual(cap + 2);
        reasons.add(rejection?.reason);
      }
    }
    const each = ['DomainCapReached', 'PrimaryExists', 'RedirectToForeign', 'RedirectToRedirect', 'RedirectToSelf'];
    expect([...reasons].toSorted()).toEqual([...each, 'WildcardHostname', undefined]);
  });
});
