import { describe, expect, it } from '@jest/globals';
import { timestamp } from '../../../src/rules/conditions.ts';
import type { CheckStatus } from '../../../src/controllers/project-domain/check-status.ts';
import { issue } from '../../../src/dns/verdict/dns-issue.ts';
import { readCheckStatus, withVerdict } from '../../../src/controllers/project-domain/check-status.ts';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import type { ProjectDomainSnapshot } from '../../../src/controllers/project-domain/project-domain-snapshot.ts';
import type { DnsVerdict } from '../../../src/dns/verdict/dns-verdict.ts';
import {
  certificateIn,
  domain,
  granting,
  heldBy,
  now,
  request,
  route,
  snapshot,
  verdict,
} from '../../support/snapshot.ts';

/** What broken DNSSEC stops, and what it does not. */

const day = 86_400_000;
const open = request('renewal');
const unknown = { verdict: 'unknown', code: 'DnssecBogus' } as const;
const fault = { zone: 'example.com', fault: 'DsWithoutKey', server: 'ns1.example.com', signers: '7/13' };
const broken = issue('DnssecBogus', fault, { act: 'ReplaceDs' });

const bogus: DnsVerdict = verdict({
  routing: { ...unknown, by: null },
  ownership: unknown,
  caa: unknown,
  corroborated: false,
  dnssec: 'Bogus',
  issues: [broken],
});
const valid = verdict({ dnssec: 'Valid' });
const unchecked = verdict({ dnssec: 'Unchecked' });
const silence = verdict({ routing: { verdict: 'unknown', code: 'NoUsableAnswer', by: null } });

/** A held domain with a request that the ledger has granted, and so much left of its certificate. */
function renewing(left: number, changes: Partial<ProjectDomainSnapshot>, checked: Partial<CheckStatus> = {}) {
  const whole = certificateIn(true);
  const renewed = { type: 'Issuing', status: 'True', reason: 'Renewing', lastTransitionTime: timestamp(now) } as const;
  const conditions = [...whole.status.conditions, renewed];
  const notAfter = new Date(now + left).toISOString();
  const notBefore = new Date(now + left - 90 * day).toISOString();
  return snapshot({
    ...heldBy,
    certificate: { ...whole, status: { ...whole.status, notBefore, notAfter, conditions } },
    route,
    requests: [open],
    orderLedger: granting(open),
    checkStatus: { ...readCheckStatus(domain()), lastDefinite: 'Yes', ...checked },
    ...changes,
  });
}

const isApproved = (snap: ProjectDomainSnapshot): boolean =>
  JSON.stringify(decideProjectDomain(snap).writes).includes('"Approved"');

describe('a request', () => {
  it.each<[string, ProjectDomainSnapshot, boolean]>([
    ['on valid signatures', renewing(29 * day, { verdict: valid }), true],
    ['on resolvers that do not answer: that only warns', renewing(29 * day, { verdict: unchecked }), true],
    ['on signatures that were mended since', renewing(29 * day, { verdict: valid }, { dnssec: 'Bogus' }), true],
    ['on broken signatures', renewing(29 * day, { verdict: bogus }), false],
    [
      'on broken signatures in the last fifth, where an unknown is no obstacle',
      renewing(day, { verdict: bogus }),
      false,
    ],
    ['on silence in the last fifth', renewing(day, { verdict: silence }), true],
    [
      'on silence in the last fifth after broken signatures',
      renewing(day, { verdict: silence }, { dnssec: 'Bogus' }),
      false,
    ],
  ])('%s', (_, snap, approved) => {
    expect(isApproved(snap)).toBe(approved);
  });

  it('is left undecided with the fault and the act on it', () => {
    const actions = decideProjectDomain(renewing(day, { verdict: bogus, certificate: certificateIn(false) }));
    const written = JSON.stringify(actions.writes);
    expect(written).toContain(`${broken.message}; ${broken.fix}`);
    expect(written).toContain('"DNSSECBroken"');
  });
});

describe('a served hostname', () => {
  it('keeps its route and counts no failure while its signatures are broken', () => {
    const actions = decideProjectDomain(renewing(60 * day, { verdict: bogus }));
    expect(actions.writes.filter(({ verb }) => verb === 'remove')).toEqual([]);
    expect(withVerdict(readCheckStatus(domain()), bogus, now)).toMatchObject({ failures: 0, failingSince: null });
  });
});
