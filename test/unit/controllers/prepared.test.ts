import { describe, expect, it } from '@jest/globals';
import { isProbeDue } from '../../../src/controllers/project-domain/check-due.ts';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import type { ProjectDomainSnapshot } from '../../../src/controllers/project-domain/project-domain-snapshot.ts';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { timestamp } from '../../../src/rules/conditions.ts';
import {
  certificateIn,
  claim,
  domain,
  granting,
  heldBy,
  now,
  request,
  route,
  settings,
  snapshot,
  verdict,
} from '../../support/snapshot.ts';

/** A hostname that is prepared before it is switched: certificate and route come by its delegation. */

const days = 24 * 3_600_000;
const prepares: ProjectDomainSnapshot['settings'] = {
  ...settings,
  issuer: { kind: 'AcmeIssuer', name: 'ca' },
  challengeZone: 'acme.example.net',
};
const delegation = {
  name: '_acme-challenge.www.example.com',
  value: 'mine.acme.example.net',
  label: 'mine',
  zone: 'acme.example.net',
  isAhead: true,
};
const delegated = verdict({ routing: { verdict: 'yes', code: 'Verified', by: 'delegation' } });
const checked = { state: 'Verified', check: { checkedAt: timestamp(now - 90_000), routedBy: 'delegation' } } as const;
const byDelegation = { ...heldBy, claim: claim({ proof: { method: 'Delegation', at: timestamp(now - days) } }) };

const prepared = (changes: Partial<ProjectDomainSnapshot> = {}, status: ProjectDomain['status'] = checked) =>
  snapshot({
    settings: prepares,
    delegation,
    domain: domain({ spec: { prepare: true, nonce: 'n' }, status }),
    verdict: delegated,
    ...changes,
  });

const statusOf = (of: ProjectDomainSnapshot) => {
  const write = decideProjectDomain(of).writes.find(
    ({ verb, kind }) => verb === 'applyStatus' && kind.kind === 'ProjectDomain',
  );
  return (write?.verb === 'applyStatus' ? write.object.status : undefined) as ProjectDomain['status'];
};
const conditionOf = (of: ProjectDomainSnapshot, type: string) => {
  const found = statusOf(of)?.conditions?.find((one) => one.type === type);
  return [found?.status, found?.reason];
};
const writeOf = (of: ProjectDomainSnapshot, kind: string) =>
  decideProjectDomain(of).writes.find((write) => write.kind.kind === kind && write.verb !== 'applyStatus');
const claimIn = (of: ProjectDomainSnapshot): HostnameClaim | undefined => {
  const write = writeOf(of, 'HostnameClaim');
  return write && 'object' in write ? (write.object as HostnameClaim) : undefined;
};

const serving = { ...byDelegation, certificate: certificateIn(true), route } as const;
const answering = { ...serving, probe: { ok: true } } as const;
const readyStatus = (changes: object = {}): NonNullable<ProjectDomain['status']> => ({
  ...checked,
  conditions: [
    {
      type: 'Routed',
      status: 'Unknown',
      reason: 'ReadyToSwitch',
      message: '',
      lastTransitionTime: timestamp(now - 60_000),
    },
  ],
  ...changes,
});

describe('a prepared hostname', () => {
  it('is claimed by its delegation, and the claim says so', () => {
    expect(claimIn(prepared({ claim: undefined, claimRelation: { kind: 'Free', epoch: 1 } }))?.spec.proof.method).toBe(
      'Delegation',
    );
  });

  it('shows the record of the delegation first, then that of the switch', () => {
    const records = statusOf(prepared())?.records?.map(({ purpose, type, fqdn, value }) => [
      purpose,
      type,
      fqdn,
      value,
    ]);
    expect(records).toEqual([
      ['Certificate', 'CNAME', delegation.name, delegation.value],
      ['Routing', 'CNAME', 'www.example.com', 'p-mine.cname.apps.example.net'],
    ]);
  });

  it('has its order recorded with the label where its challenges are answered', () => {
    const made = request('r');
    const issuerRef = { group: 'projectdomain.io', kind: 'AcmeIssuer', name: 'ca' };
    const waiting = { ...made, spec: { ...made.spec, issuerRef } };
    const ordering = prepared({
      ...byDelegation,
      certificate: certificateIn(false),
      requests: [waiting],
      orderLedger: granting(waiting),
    });
    expect(claimIn(ordering)?.spec.orders).toMatchObject([{ outcome: 'Pending', delegation: 'mine' }]);
  });

  it('is ready to switch once it answers here, and not yet routed', () => {
    expect(conditionOf(prepared(answering), 'Routed')).toEqual(['Unknown', 'ReadyToSwitch']);
    expect(statusOf(prepared(answering))?.state).toBe('Verified');
    expect(conditionOf(prepared(answering), 'Ready')).toEqual(['False', 'ReadyToSwitch']);
  });

  it('is told how to look at the site before the switch', () => {
    const routed = statusOf(prepared(answering))?.conditions?.find(({ type }) => type === 'Routed');
    expect(routed?.message).toContain('curl --resolve www.example.com:443:203.0.113.10 https://www.example.com/');
  });

  it('is not asked again and again whether it answers while it waits for its switch', () => {
    expect(isProbeDue(prepared(serving))).toBe(true);
    expect(isProbeDue(prepared(serving, readyStatus()))).toBe(false);
    expect(conditionOf(prepared(serving, readyStatus()), 'Routed')).toEqual(['Unknown', 'ReadyToSwitch']);
  });

  it('is Live with the check that finds it switched, as it answered before', () => {
    const switched = prepared({ ...serving, verdict: verdict() }, readyStatus());
    expect([statusOf(switched)?.state, conditionOf(switched, 'Routed')]).toEqual(['Live', ['True', 'Routed']]);
    expect(statusOf(switched)?.records?.map(({ purpose }) => purpose)).toEqual(['Routing']);
    expect(statusOf(switched)?.check?.routedBy).toBe('target');
  });

  it.each<[string, number, string]>([
    ['is renewed within thirty days', 29, 'IssuanceOverdue'],
    ['is not renewed after thirty days, as nobody is served', 31, 'NotSwitched'],
  ])('%s', (_, age, reason) => {
    const proof = { method: 'Delegation', at: timestamp(now - age * days) } as const;
    const waiting = prepared({ ...heldBy, claim: claim({ proof }), certificate: certificateIn(false) });
    expect(conditionOf(waiting, 'CertificateIssued')[1]).toBe(reason);
  });
});

describe('the nonce', () => {
  const applied = (of: ProjectDomainSnapshot) => {
    const write = writeOf(of, 'ProjectDomain');
    return write?.verb === 'apply' ? write.object.spec : undefined;
  };
  const fresh = (spec: Partial<ProjectDomain['spec']>, owned: boolean, controller = false) => {
    const subject = domain({ spec });
    const owner = { apiVersion: '', kind: 'Project', name: 'shop', uid: 'u-shop', controller };
    return snapshot({
      settings: prepares,
      domain: { ...subject, metadata: { ...subject.metadata, ...(owned ? { ownerReferences: [owner] } : {}) } },
    });
  };

  it.each<[string, ProjectDomainSnapshot, object | undefined]>([
    ['is kept in the spec of one that is prepared', fresh({ prepare: true }, true), { nonce: '60000000-www' }],
    [
      'is applied again with the owner, or it would be gone',
      fresh({ prepare: true, nonce: 'n' }, false),
      { nonce: 'n' },
    ],
    ['is not written twice', fresh({ prepare: true, nonce: 'n' }, true), undefined],
    ['is left out of one that is not prepared', fresh({}, false), undefined],
    ['is left out of one that its project applies', fresh({ prepare: true }, true, true), undefined],
  ])('%s', (_, of, spec) => {
    expect(applied(of)).toEqual(spec);
  });
});

describe('where the platform cannot prepare', () => {
  it('says so instead of waiting for a record that proves nothing', () => {
    const asked = snapshot({ domain: domain({ spec: { prepare: true } }) });
    expect(conditionOf(asked, 'Accepted')).toEqual(['False', 'PrepareUnavailable']);
  });
});
