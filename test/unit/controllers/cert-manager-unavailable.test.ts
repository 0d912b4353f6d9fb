import { describe, expect, it } from '@jest/globals';
import type { Cluster, Kind } from '../../../src/kubernetes/kubernetes-port.ts';
import { findCondition } from '../../../src/rules/conditions.ts';
import { CertificateKind, HostnameClaimKind, IngressKind, ProjectDomainKind } from '../../../src/resources/kinds.ts';
import { applyActions } from '../../../src/controllers/apply-actions.ts';
import type { WriteAction, Actions } from '../../../src/controller-runtime/actions.ts';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import type { ProjectDomainSnapshot } from '../../../src/controllers/project-domain/project-domain-snapshot.ts';
import { domain, heldBy, route, verdict, snapshot } from '../../support/snapshot.ts';

/** cert-manager away for hours: what it made goes on, what it is to make waits, and nothing else notices. */

const condition = (type: string, status: 'True' | 'Unknown', reason: string) => ({
  type,
  status,
  reason,
  message: 'as before',
  lastTransitionTime: '2026-01-01T11:00:00Z',
});

const live = domain({
  status: {
    state: 'Live',
    certificate: { name: 'pd-x', attempts: 1, notAfter: '2026-04-01T00:00:00Z' },
    conditions: [condition('CertificateIssued', 'True', 'Issued'), condition('Routed', 'True', 'Routed')],
  },
});

interface Written {
  readonly state: string;
  readonly certificate: { readonly notAfter?: string };
  readonly conditions: Parameters<typeof findCondition>[0];
}

const statusOf = ({ writes }: Actions) =>
  writes.find(({ verb }) => verb === 'applyStatus') as unknown as { object: { status: Written } };
const away = (changes: Partial<ProjectDomainSnapshot>) =>
  snapshot({ ...heldBy, certManagerUnavailable: true, verdict: verdict(), ...changes });
const ofCertManager = ({ writes }: Actions) =>
  writes.filter(({ kind }) => kind.apiVersion.startsWith('cert-manager.io/'));

describe('while cert-manager is away', () => {
  it('a domain that was Live stays Live, although no cache shows its certificate', () => {
    const actions = decideProjectDomain(away({ domain: live, route }));
    const { state, certificate, conditions } = statusOf(actions).object.status;
    expect(state).toBe('Live');
    expect(certificate.notAfter).toBe('2026-04-01T00:00:00Z');
    expect(findCondition(conditions, 'CertificateIssued')).toMatchObject({ status: 'True', reason: 'Issued' });
    expect(ofCertManager(actions)).toEqual([]);
  });

  it('a domain without a certificate says what it waits for, asks nothing of it, and looks again in a minute', () => {
    const seen = away({});
    const actions = decideProjectDomain(seen);
    const { state, conditions } = statusOf(actions).object.status;
    expect(state).toBe('Verified');
    expect(findCondition(conditions, 'CertificateIssued')).toMatchObject({
      status: 'Unknown',
      message: expect.stringContaining('cert-manager does not answer'),
    });
    expect(ofCertManager(actions)).toEqual([]);
    expect(actions.requeueAt).toBeLessThanOrEqual(seen.now + 60_000);
  });

  it('a hostname is claimed all the same', () => {
    const actions = decideProjectDomain(away({ claim: undefined, claimRelation: { kind: 'Free', epoch: 1 } }));
    expect(actions.writes.map(({ verb, kind }) => `${verb} ${kind.kind}`)).toContain('create HostnameClaim');
  });
});

describe('a plan that meets a cert-manager that refuses', () => {
  const object = (kind: Kind) => ({ apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name: 'x' } });
  const apply = (kind: Kind): WriteAction => ({ verb: 'apply', kind, object: object(kind) });
  const removal = (kind: Kind): WriteAction => ({ verb: 'remove', kind, key: { namespace: 'a', name: 'x' } });
  const status: WriteAction = { verb: 'applyStatus', kind: ProjectDomainKind, object: object(ProjectDomainKind) };
  const claim: WriteAction = { verb: 'replace', kind: HostnameClaimKind, object: object(HostnameClaimKind) };

  async function carried(writes: readonly WriteAction[], refuses: string): Promise<readonly string[]> {
    const done: string[] = [];
    const act = (kind: Kind) => {
      if (kind.kind === refuses) return Promise.reject(new Error(`no ${kind.kind}`));
      done.push(kind.kind);
      return Promise.resolve(true);
    };
    const cluster = { apply: act, applyStatus: act, replace: act, remove: act } as unknown as Cluster;
    const applyDependencies = { cluster, now: () => 0, recordEvent: () => undefined };
    await expect(applyActions(applyDependencies, { writes, events: [], requeueAt: null })).rejects.toThrow(
      `no ${refuses}`,
    );
    return done;
  }

  it.each<[string, readonly WriteAction[], string, readonly string[]]>([
    [
      'goes on with route and status, and is tried again',
      [apply(CertificateKind), apply(IngressKind), status],
      'Certificate',
      ['Ingress', 'ProjectDomain'],
    ],
    [
      'takes no Ingress away and moves no claim before the Certificate is gone',
      [removal(CertificateKind), removal(IngressKind), claim, status],
      'Certificate',
      ['ProjectDomain'],
    ],
    ['ends at the first refusal of anybody else', [apply(IngressKind), apply(CertificateKind), status], 'Ingress', []],
  ])('%s', async (_, writes, refuses, wanted) => {
    expect(await carried(writes, refuses)).toEqual(wanted);
  });
});
