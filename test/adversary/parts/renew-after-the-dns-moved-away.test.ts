import { describe, expect, it } from '@jest/globals';
import type { CertificateRequest } from '../../../src/resources/cert-manager-types.ts';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import { readCheckStatus } from '../../../src/controllers/project-domain/check-status.ts';
import type { CheckStatus } from '../../../src/controllers/project-domain/check-status.ts';
import type { ProjectDomainSnapshot } from '../../../src/controllers/project-domain/project-domain-snapshot.ts';
import {
  certificateIn,
  domain,
  granting,
  heldBy,
  route,
  verdict,
  now,
  request,
  snapshot,
} from '../../support/snapshot.ts';

/**
 * A tenant whose domain moved elsewhere goes on having certificates of it, as its route is kept for a while. Held off: an
 * order rests on a look of this minute, never on the hysteresis that keeps routes; silence excuses only a renewal whose
 * certificate nearly ends, after a definite yes.
 */

const minute = 60_000;
const day = 24 * 60 * minute;
const open: CertificateRequest = request('renewal');

const live = domain({
  status: {
    state: 'Live',
    conditions: ['Accepted', 'OwnershipVerified', 'DNSVerified', 'CertificateIssued', 'Routed', 'Ready'].map(
      (type) => ({
        type,
        status: 'True' as const,
        reason: 'x',
        message: '',
        lastTransitionTime: new Date(now - 60 * day).toISOString(),
      }),
    ),
  },
});

/** A Live domain with a request that the ledger has granted; `left` is what is left of its certificate. */
function renewing(
  left: number,
  checkStatus: Partial<CheckStatus>,
  changes: Partial<ProjectDomainSnapshot> = {},
): ProjectDomainSnapshot {
  const whole = certificateIn(true);
  const notAfter = new Date(now + left).toISOString();
  const notBefore = new Date(now + left - 90 * day).toISOString();
  return snapshot({
    ...heldBy,
    domain: live,
    certificate: { ...whole, status: { ...whole.status, notBefore, notAfter } },
    route,
    requests: [open],
    orderLedger: granting(open),
    checkStatus: { ...readCheckStatus(live), lastDefinite: 'Yes', ...checkStatus },
    ...changes,
  });
}

const codes = { yes: 'Verified', no: 'WrongTarget', unknown: 'NoUsableAnswer' } as const;
const routing = (said: 'yes' | 'no' | 'unknown') =>
  verdict({ routing: { verdict: said, code: codes[said], by: said === 'yes' ? 'target' : null } });
const caa = (said: 'no' | 'unknown') =>
  verdict({ caa: { verdict: said, code: said === 'no' ? 'CaaForbidsAuthority' : 'NoUsableAnswer' } });
const seen = { routing: 'Yes', ownership: 'Yes', caa: 'Yes', corroborated: true } as const;

const isApproved = (snap: ProjectDomainSnapshot): boolean =>
  JSON.stringify(decideProjectDomain(snap).writes).includes('"Approved"');

describe('a renewal', () => {
  it.each<[string, ProjectDomainSnapshot]>([
    ['on a yes of this moment', renewing(29 * day, {}, { verdict: verdict() })],
    ['on a yes of fifty seconds ago', renewing(29 * day, { ...seen, fullyCheckedAt: now - 50_000 })],
    ['on silence in the last fifth, after a yes', renewing(17 * day, {}, { verdict: routing('unknown') })],
    ['on unreadable CAA in the last fifth, after a yes', renewing(17 * day, {}, { verdict: caa('unknown') })],
    [
      'on the word of one server in the last fifth, after a yes',
      renewing(17 * day, {}, { verdict: verdict({ corroborated: false }) }),
    ],
  ])('is approved %s', (_, snap) => {
    expect(isApproved(snap)).toBe(true);
  });

  it.each<[string, ProjectDomainSnapshot]>([
    ['the first failure, long before the route is withdrawn', renewing(29 * day, {}, { verdict: routing('no') })],
    [
      'addresses that anybody may share, once the TXT record beside them is gone',
      renewing(29 * day, {}, { verdict: verdict({ ownership: { verdict: 'no', code: 'TxtMissing' } }) }),
    ],
    ['a no with a day left', renewing(day, {}, { verdict: routing('no') })],
    ['CAA that forbids with a day left', renewing(day, {}, { verdict: caa('no') })],
    ['a yes of two minutes ago', renewing(29 * day, { ...seen, fullyCheckedAt: now - 120_000 })],
    [
      'a look of fifty seconds ago that confirmed routing alone',
      renewing(29 * day, { ...seen, checkedAt: now - 50_000, fullyCheckedAt: now - 3_600_000 }),
    ],
    [
      'a look of this moment that confirmed routing alone',
      renewing(29 * day, { ...seen, fullyCheckedAt: now - 3_600_000 }, { verdict: verdict({ isConfirmation: true }) }),
    ],
    ['silence before the last fifth', renewing(19 * day, {}, { verdict: routing('unknown') })],
    [
      'the word of one server before the last fifth',
      renewing(29 * day, {}, { verdict: verdict({ corroborated: false }) }),
    ],
    [
      'silence in the last fifth after a no',
      renewing(17 * day, { lastDefinite: 'No' }, { verdict: routing('unknown') }),
    ],
    [
      'silence in the last fifth where nobody ever said yes',
      renewing(17 * day, { lastDefinite: null }, { verdict: routing('unknown') }),
    ],
    ['silence once the certificate has ended', renewing(-day, {}, { verdict: routing('unknown') })],
    [
      'a certificate whose Secret was deleted, on silence',
      renewing(17 * day, {}, { verdict: routing('unknown'), certificate: certificateIn(false) }),
    ],
  ])('is not approved on %s', (_, snap) => {
    expect(isApproved(snap)).toBe(false);
  });

  it('on silence is written on the claim, and told by a Warning', () => {
    const actions = decideProjectDomain(renewing(17 * day, {}, { verdict: routing('unknown') }));
    expect(JSON.stringify(actions.writes.find(({ kind }) => kind.kind === 'HostnameClaim'))).toContain(
      '"unconfirmed":true',
    );
    expect(actions.events).toContainEqual(
      expect.objectContaining({ type: 'Warning', reason: 'RenewedOnLastKnownAnswer' }),
    );
  });
});
