import { describe, expect, it } from '@jest/globals';
import { observedConditions, findingIn, no, unknown, yes } from '../../../src/rules/conditions.ts';
import type { DomainFindings } from '../../../src/rules/domain-state.ts';
import { domainState, readyFinding } from '../../../src/rules/domain-state.ts';
import { certificateReasons } from '../../../src/rules/codes/certificate-reasons.ts';

const said = {
  Accepted: { T: yes('Accepted', ''), F: no('NotDeployed', ''), U: unknown('AccountNotFound', '') },
  OwnershipVerified: { T: yes('Verified', ''), F: no('TxtMissing', ''), U: unknown('Waiting', '') },
  DNSVerified: { T: yes('Verified', ''), F: no('RecordMissing', ''), U: unknown('NoUsableAnswer', '') },
  CertificateIssued: { T: yes('Issued', ''), F: no('CAAForbids', ''), U: unknown('Issuing', '') },
  Routed: { T: yes('Routed', ''), F: no('Waiting', ''), U: unknown('NotAnswering', ''), W: no('Withdrawn', '') },
};

type Status = 'T' | 'F' | 'U';

const findings = ([accepted, ownership, dns, certificate, routed]: readonly [
  Status,
  Status,
  Status,
  Status,
  Status | 'W',
]): DomainFindings => ({
  Accepted: said.Accepted[accepted],
  OwnershipVerified: said.OwnershipVerified[ownership],
  DNSVerified: said.DNSVerified[dns],
  CertificateIssued: said.CertificateIssued[certificate],
  Routed: said.Routed[routed],
});

describe('the state is the first that matches (docs/concepts/states.md)', () => {
  it.each([
    ['everything true is Live', ['T', 'T', 'T', 'T', 'T'], 'Live', 'True'],
    ['routed but a record is gone is Degraded and still Ready', ['T', 'T', 'F', 'T', 'T'], 'Degraded', 'True'],
    ['routed but the plan no longer allows it is Degraded', ['F', 'T', 'T', 'T', 'T'], 'Degraded', 'True'],
    ['routed but an absent account is Degraded, never Pending', ['U', 'T', 'T', 'T', 'T'], 'Degraded', 'True'],
    ['withdrawn is Suspended, whatever else is wrong', ['F', 'T', 'F', 'F', 'W'], 'Suspended', 'False'],
    ['not accepted is Pending', ['F', 'U', 'U', 'U', 'U'], 'Pending', 'False'],
    ['acceptance unknown is Pending', ['U', 'U', 'U', 'U', 'U'], 'Pending', 'False'],
    ['no DNS yet is Unverified', ['T', 'T', 'F', 'U', 'U'], 'Unverified', 'False'],
    ['DNS right but ownership unproven is Unverified', ['T', 'F', 'T', 'U', 'U'], 'Unverified', 'False'],
    ['both proofs without a certificate is Verified', ['T', 'T', 'T', 'U', 'U'], 'Verified', 'False'],
    ['a certificate without a route is Verified', ['T', 'T', 'T', 'T', 'U'], 'Verified', 'False'],
  ] as const)('%s', (_, given, state, ready) => {
    expect(domainState(findings(given))).toBe(state);
    expect(readyFinding(findings(given)).status).toBe(ready);
  });

  it('Ready names the reason people must read first', () => {
    expect(readyFinding(findings(['T', 'U', 'F', 'U', 'U'])).reason).toBe('RecordMissing');
    const OwnershipVerified = no('HeldElsewhere', 'another account');
    expect(readyFinding({ ...findings(['T', 'F', 'F', 'U', 'U']), OwnershipVerified }).reason).toBe('HeldElsewhere');
  });
});

describe('conditions', () => {
  it('keep their transition time while the status stays, and move it when it changes', () => {
    const { conditions: before } = observedConditions({ Ready: no('NotDeployed', 'never') }, undefined, {
      generation: 1,
      now: 1_000,
    });
    const { conditions: same } = observedConditions({ Ready: no('PlanUpgradeRequired', 'other') }, before, {
      generation: 2,
      now: 9_000,
    });
    expect(same[0]).toMatchObject({
      reason: 'PlanUpgradeRequired',
      observedGeneration: 2,
      lastTransitionTime: '1970-01-01T00:00:01Z',
    });
    const { conditions: changed } = observedConditions({ Ready: yes('Ready', 'all') }, same, {
      generation: 2,
      now: 20_000,
    });
    expect(changed[0]?.lastTransitionTime).toBe('1970-01-01T00:00:20Z');
  });

  it.each([
    ['a reason of the table', 'Issued', true],
    ['a reason of another condition', 'Routed', false],
    ['a reason of another version', 'FromTheFuture', false],
    ['a name that every object has', 'constructor', false],
  ])('are read back by %s: %s', (_, reason, isKnown) => {
    const written = { type: 'CertificateIssued', status: 'True', message: 'm', lastTransitionTime: '' } as const;
    const expected = { status: 'True', reason, message: 'm' };
    expect(findingIn({ ...written, reason }, certificateReasons)).toEqual(isKnown ? expected : undefined);
  });
});
