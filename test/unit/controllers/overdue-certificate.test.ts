import { describe, expect, it } from '@jest/globals';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import type { ProjectDomainSnapshot } from '../../../src/controllers/project-domain/project-domain-snapshot.ts';
import { certificateIn, claim, domain, heldBy, verdict, now, request, snapshot } from '../../support/snapshot.ts';

/** Patience with a certificate, and what Verify does once it has ended. */

const minute = 60_000;
const at = (ago: number) => new Date(now - ago * minute).toISOString();

const verified = (ago: number) =>
  domain({
    status: {
      state: 'Verified',
      conditions: [
        { type: 'DNSVerified', status: 'True', reason: 'Verified', message: '', lastTransitionTime: at(ago) },
      ],
    },
  });

type Condition = { type: string; status: 'True' | 'False'; reason?: string; message?: string };

/** A domain verified, its Certificate made and its last order placed this many minutes ago. */
function waiting(
  minutes: readonly [number, number, number],
  changes: Partial<ProjectDomainSnapshot> = {},
): ProjectDomainSnapshot {
  const [dns, made, ordered] = minutes;
  const { metadata, ...rest } = certificateIn(false);
  const orders = [{ request: 'u-r1', at: at(ordered), outcome: 'Pending' as const }];
  return snapshot({
    ...heldBy,
    claim: claim({ orders }),
    domain: verified(dns),
    certificate: { ...rest, metadata: { ...metadata, creationTimestamp: at(made) } },
    verdict: verdict(),
    ...changes,
  });
}

const issuing = (snap: ProjectDomainSnapshot, condition: Condition): ProjectDomainSnapshot => {
  const { certificate } = snap;
  if (!certificate) throw new Error('no certificate');
  const status = { ...certificate.status, lastFailureTime: at(20), failedIssuanceAttempts: 2, conditions: [condition] };
  return snapshot({ ...snap, certificate: { ...certificate, status } });
};

function reasonOf(snap: ProjectDomainSnapshot): string | undefined {
  const write = decideProjectDomain(snap).writes.find(
    ({ verb, kind }) => verb === 'applyStatus' && kind.kind === 'ProjectDomain',
  );
  if (write?.verb !== 'applyStatus') throw new Error('the plan writes no status');
  const { conditions } = write.object.status as { conditions: readonly { type: string; reason: string }[] };
  return conditions.find(({ type }) => type === 'CertificateIssued')?.reason;
}

/** As overdue as can be, but for a fresh attempt this many minutes ago. */
function attemptedAgo(ago: number): ProjectDomainSnapshot {
  const snap = waiting([60, 60, 60], { verify: { kind: 'asked', value: at(0), fresh: true } });
  const metadata = { ...claim().metadata, annotations: { 'projectdomain.io/attempted-at': at(ago) } };
  return { ...snap, claim: { ...claim(), metadata } };
}

const asked = { verify: { kind: 'asked', value: at(0), fresh: true } } as const;
const attempts = (snap: ProjectDomainSnapshot) =>
  decideProjectDomain(snap).writes.filter(
    ({ verb, kind }) => verb === 'replaceStatus' || (verb === 'remove' && kind.kind === 'CertificateRequest'),
  );

describe('a certificate that does not come', () => {
  it.each<[string, readonly [number, number, number], string]>([
    ['29 minutes after everything was right', [29, 29, 29], 'Issuing'],
    ['30 minutes after everything was right', [30, 30, 30], 'IssuanceOverdue'],
    ['when DNS was right only a moment ago', [5, 60, 60], 'Issuing'],
    ['when it was made only a moment ago', [60, 5, 60], 'Issuing'],
    ['when an order was placed only a moment ago', [60, 60, 5], 'Issuing'],
  ])('%s', (_, minutes, reason) => {
    expect(reasonOf(waiting(minutes))).toBe(reason);
  });

  it('is looked at when it becomes overdue, without any event', () => {
    expect(decideProjectDomain(waiting([29, 29, 29])).requeueAt).toBeLessThanOrEqual(now + minute);
  });

  it('CAA that forbids it is the better reason', () => {
    const forbidden = verdict({ caa: { verdict: 'no', code: 'CaaForbidsAuthority' } });
    expect(reasonOf(waiting([60, 60, 60], { verdict: forbidden }))).toBe('CAAForbids');
  });
});

describe('Verify', () => {
  const failed: Condition = { type: 'Issuing', status: 'False', reason: 'Failed', message: 'refused' };
  const hanging: Condition = { type: 'Issuing', status: 'True' };

  it('tells cert-manager to issue now where it rests after a failure, and clears the failure', () => {
    const [action] = attempts(issuing(waiting([60, 60, 60], asked), failed));
    if (action?.verb !== 'replaceStatus') throw new Error('nothing was told');
    const { status } = action.object as ProjectDomainSnapshot['certificate'] & object;
    expect(status?.conditions).toEqual([
      expect.objectContaining({
        type: 'Issuing',
        status: 'True',
        reason: 'ManuallyTriggered',
        lastTransitionTime: '2026-01-01T11:40:01Z',
      }),
    ]);
    expect([status?.lastFailureTime, status?.failedIssuanceAttempts]).toEqual([undefined, undefined]);
  });

  it('takes away the request that hangs, and no finished one', () => {
    const approved = { type: 'Approved', status: 'True' } as const;
    const requests = [request('done', [approved, { type: 'Ready', status: 'True' }]), request('hangs', [approved])];
    const actions = attempts(issuing(waiting([60, 60, 60], { ...asked, requests }), hanging));
    expect(actions).toMatchObject([{ verb: 'remove', key: { name: 'hangs' }, preconditions: { uid: 'u-hangs' } }]);
  });

  it('writes the attempt on the claim before anything else, so that a visit that is behind is refused', () => {
    const actions = decideProjectDomain(issuing(waiting([60, 60, 60], asked), failed)).writes;
    const note = actions.findIndex(({ verb, kind }) => verb === 'replace' && kind.kind === 'HostnameClaim');
    const told = actions.findIndex(({ verb }) => verb === 'replaceStatus');
    expect([note >= 0, note < told]).toEqual([true, true]);
    expect(actions.filter(({ verb, kind }) => verb === 'replace' && kind.kind === 'HostnameClaim')).toHaveLength(1);
    expect(JSON.stringify(actions[note])).toContain('projectdomain.io/attempted-at');
  });

  it.each<[string, ProjectDomainSnapshot]>([
    ['the last attempt was made a moment ago', issuing(attemptedAgo(5), failed)],
    ['a request waits for approval', issuing(waiting([60, 60, 60], { ...asked, requests: [request('new')] }), failed)],
    ['nobody asks', issuing(waiting([60, 60, 60]), failed)],
    ['the last attempt is younger than half an hour', issuing(waiting([60, 60, 20], asked), failed)],
    ['DNS was not looked at', issuing(waiting([60, 60, 60], { ...asked, verdict: null }), failed)],
    [
      'the request joins the one before',
      issuing(waiting([60, 60, 60], { verify: { ...asked.verify, fresh: false } }), failed),
    ],
    [
      'CAA forbids',
      issuing(
        waiting([60, 60, 60], {
          ...asked,
          verdict: verdict({ caa: { verdict: 'no', code: 'CaaForbidsAuthority' } }),
        }),
        failed,
      ),
    ],
  ])('makes no fresh attempt while %s', (_, snap) => {
    expect(attempts(snap)).toEqual([]);
  });
});
