import { describe, expect, it } from '@jest/globals';
import { timestamp } from '../../../src/rules/conditions.ts';
import { isLongMended } from '../../../src/rules/check-schedule.ts';
import type { CheckStatus } from '../../../src/controllers/project-domain/check-status.ts';
import { issue } from '../../../src/dns/verdict/dns-issue.ts';
import {
  checkStatusFields,
  readCheckStatus,
  withVerdict,
} from '../../../src/controllers/project-domain/check-status.ts';
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

/** What broken DNSSEC stops, what it does not, and when what resolvers have cached of it ends. */

const minute = 60_000;
const day = 24 * 60 * minute;
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

describe('the veto of resolvers', () => {
  const faultless = { ...bogus, isFaultless: true };
  const elsewhere = verdict({ routing: { verdict: 'no', code: 'StrayAddress', by: null } });
  const start = readCheckStatus(domain());
  const after = (...checks: readonly (readonly [minutes: number, found: DnsVerdict])[]): CheckStatus =>
    checks.reduce((status, [minutes, found]) => withVerdict(status, found, now + minutes * minute), start);

  it.each<[string, CheckStatus, number, boolean]>([
    ['stands while the zones show a fault', after([0, bogus], [20, bogus]), 20, false],
    ['stands for a quarter of an hour after they show none', after([0, bogus], [5, faultless]), 19, false],
    ['ends then', after([0, bogus], [5, faultless]), 20, true],
    ['ends then, however often it was checked in between', after([5, faultless], [12, faultless]), 20, true],
    ['begins anew when the fault is back', after([0, faultless], [10, bogus], [16, faultless]), 20, false],
    ['is not prolonged by resolvers that do not answer', after([0, faultless], [10, unchecked]), 16, true],
    ['is not prolonged by servers that do not answer', after([0, faultless], [10, silence]), 16, true],
    ['begins anew when the hostname led elsewhere', after([0, faultless], [10, elsewhere]), 20, false],
    ['is over once resolvers validate', after([0, faultless], [10, valid]), 20, false],
  ])('%s', (_, status, minutes, ended) => {
    expect(isLongMended(status, now + minutes * minute)).toBe(ended);
  });

  it('is kept in the status', () => {
    const status = after([0, bogus], [5, faultless]);
    const { check } = domain({ status: { check: checkStatusFields(status) } }).status ?? {};
    expect(check).toMatchObject({ dnssec: 'Bogus', faultlessSince: '2026-01-01T12:05:00Z' });
    expect(readCheckStatus(domain({ status: { check: check ?? {} } })).faultlessSince).toBe(status.faultlessSince);
  });
});
