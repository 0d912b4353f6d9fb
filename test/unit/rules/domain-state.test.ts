import { describe, expect, it } from '@jest/globals';
import type { Finding } from '../../../src/rules/conditions.ts';
import { conditionsFrom, no, unknown, yes } from '../../../src/rules/conditions.ts';
import type { DomainFindings } from '../../../src/rules/domain-state.ts';
import { domainState, readyFinding } from '../../../src/rules/domain-state.ts';

const T = yes('Fine', 'fine');
const F = no('Bad', 'bad');
const U = unknown('Dunno', 'dunno');
const W = no('Withdrawn', 'withdrawn');

const findings = ([Accepted, OwnershipVerified, DNSVerified, CertificateIssued, Routed]: readonly [
  Finding,
  Finding,
  Finding,
  Finding,
  Finding,
]): DomainFindings => ({
  Accepted,
  OwnershipVerified,
  DNSVerified,
  CertificateIssued,
  Routed,
});

describe('the state is the first that matches (docs/concepts/states.md)', () => {
  it.each([
    ['everything true is Live', [T, T, T, T, T], 'Live', 'True'],
    ['routed but a record is gone is Degraded and still Ready', [T, T, F, T, T], 'Degraded', 'True'],
    ['routed but the plan no longer allows it is Degraded', [F, T, T, T, T], 'Degraded', 'True'],
    ['routed but an absent account is Degraded, never Pending', [U, T, T, T, T], 'Degraded', 'True'],
    ['withdrawn is Suspended, whatever else is wrong', [F, T, F, F, W], 'Suspended', 'False'],
    ['not accepted is Pending', [F, U, U, U, U], 'Pending', 'False'],
    ['acceptance unknown is Pending', [U, U, U, U, U], 'Pending', 'False'],
    ['no DNS yet is Unverified', [T, T, F, U, U], 'Unverified', 'False'],
    ['DNS right but ownership unproven is Unverified', [T, F, T, U, U], 'Unverified', 'False'],
    ['both proofs without a certificate is Verified', [T, T, T, U, U], 'Verified', 'False'],
    ['a certificate without a route is Verified', [T, T, T, T, U], 'Verified', 'False'],
  ] as const)('%s', (_, given, state, ready) => {
    expect(domainState(findings(given))).toBe(state);
    expect(readyFinding(findings(given)).status).toBe(ready);
  });

  it('Ready names the reason people must read first', () => {
    expect(readyFinding(findings([T, U, F, U, U])).reason).toBe('Bad');
    const held = no('HeldElsewhere', 'another account');
    expect(readyFinding(findings([T, held, F, U, U])).reason).toBe('HeldElsewhere');
  });
});

describe('conditions', () => {
  it('keep their transition time while the status stays, and move it when it changes', () => {
    const before = conditionsFrom({ Ready: F }, undefined, { generation: 1, now: 1_000 });
    const same = conditionsFrom({ Ready: no('Other', 'other') }, before, { generation: 2, now: 9_000 });
    expect(same[0]).toMatchObject({
      reason: 'Other',
      observedGeneration: 2,
      lastTransitionTime: '1970-01-01T00:00:01Z',
    });
    const changed = conditionsFrom({ Ready: T }, same, { generation: 2, now: 20_000 });
    expect(changed[0]?.lastTransitionTime).toBe('1970-01-01T00:00:20Z');
  });
});
