import { describe, expect, it } from '@jest/globals';
import { applyActions } from '../../../src/controllers/apply-actions.ts';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import type { ProjectDomainSnapshot } from '../../../src/controllers/project-domain/project-domain-snapshot.ts';
import { createRefusedWrites } from '../../../src/controllers/refused-writes.ts';
import type { EventRecord, Cluster, Intent, Kind } from '../../../src/kubernetes/kubernetes-port.ts';
import type { WriteAction } from '../../../src/controller-runtime/actions.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { KubernetesError } from '../../../src/kubernetes/kubernetes-errors.ts';
import { HostnameClaimKind } from '../../../src/resources/kinds.ts';
import { findCondition } from '../../../src/rules/conditions.ts';
import { now, domain, heldBy, route, snapshot, verdict } from '../../support/snapshot.ts';

/** A cluster that refuses some kinds of a domain's writes: what the domain says, who is told, and how often it is tried. */

type Status = NonNullable<ProjectDomain['status']>;

const error = (status: number, reason: string, message: string) =>
  new KubernetesError({ status, reason, message, retryAfterMs: null });
const full = (used = 50) =>
  error(
    403,
    'Forbidden',
    `ingresses.networking.k8s.io "pd-x" is forbidden: exceeded quota: few, requested: count/ingresses=1, used: count/ingresses=${used}, limited: count/ingresses=50`,
  );
const denied = (words: string) =>
  error(400, 'Status400', `admission webhook "rules.example.com" denied the request: ${words}`);
const taken = error(409, 'AlreadyExists', 'hostnameclaims.projectdomain.io "www.example.com" already exists');

interface Scene {
  /** what refuses writes of a kind */
  refuses: Readonly<Record<string, KubernetesError | undefined>>;
  readonly sent: string[];
  readonly events: EventRecord[];
  readonly counted: string[];
  status: Status | undefined;
  at: number;
}

function reconciles(start: Partial<ProjectDomainSnapshot>) {
  const scene: Scene = { refuses: {}, sent: [], events: [], counted: [], status: start.domain?.status, at: 0 };
  const send = (kind: Kind): Promise<void> => {
    const refusal = scene.refuses[kind.kind];
    scene.sent.push(refusal ? `${kind.kind} refused` : kind.kind);
    return refusal ? Promise.reject(refusal) : Promise.resolve();
  };
  const applyStatus = async (kind: Kind, object: Intent) => {
    await send(kind);
    scene.status = object.status as Status;
  };
  const cluster = { apply: send, create: send, replace: send, replaceStatus: send, remove: send, applyStatus };
  const dependencies = {
    cluster: cluster as unknown as Cluster,
    now: () => now,
    recordEvent: (event: EventRecord) => void scene.events.push(event),
    refusedWrites: createRefusedWrites({
      elapsed: () => scene.at,
      observe: ({ kind, code }) => void scene.counted.push(`${kind} ${code}`),
      isOfAccount: (name) => name === 'acme' || name === 'globex',
    }),
  };
  const reconcile = () => {
    const about = domain(scene.status ? { status: scene.status } : {});
    const seen = snapshot({ ...start, domain: about });
    return applyActions(dependencies, decideProjectDomain(seen), {
      about,
      again: (refused) => decideProjectDomain({ ...seen, refused }),
    });
  };
  const condition = (type: string) => findCondition(scene.status?.conditions, type);
  return { scene, reconcile, condition };
}

const issued = {
  apiVersion: 'cert-manager.io/v1',
  kind: 'Certificate',
  metadata: { name: 'pd-x', namespace: 'acme', uid: 'u-cert' },
  spec: {},
  status: { conditions: [{ type: 'Ready', status: 'True' }], notAfter: '2026-03-01T00:00:00Z' },
} as unknown as NonNullable<ProjectDomainSnapshot['certificate']>;
const certified: Partial<ProjectDomainSnapshot> = { ...heldBy, verdict: verdict(), certificate: issued };

describe('a domain whose Ingress is refused', () => {
  it('says so in the condition of its route and in an issue that says who acts, and is tried again', async () => {
    const { scene, reconcile, condition } = reconciles(certified);
    scene.refuses = { Ingress: full() };
    expect(await reconcile()).toEqual({ refused: scene.refuses.Ingress });
    expect(condition('Routed')).toMatchObject({ status: 'False', reason: 'WriteRefused' });
    expect(condition('Routed')?.message).toMatch(
      /^ResourceQuota few leaves no room for Ingress acme\/pd-.* has to raise ResourceQuota few .* the kube-apiserver says: ingresses/,
    );
    expect(condition('Ready')).toMatchObject({ status: 'False', reason: 'WriteRefused' });
    expect(scene.status?.issues).toEqual([
      expect.objectContaining({ code: 'QuotaFull', severity: 'Error', actor: 'Platform', act: 'MakeRoomInQuota' }),
    ]);
  });

  it('has one Warning Event for each refusal', async () => {
    const { scene, reconcile } = reconciles(certified);
    scene.refuses = { Ingress: full() };
    await reconcile();
    const warnings = scene.events.filter(({ type }) => type === 'Warning');
    expect(warnings).toEqual([
      expect.objectContaining({ reason: 'WriteRefused', about: expect.objectContaining({ kind: 'ProjectDomain' }) }),
    ]);
    expect(scene.counted).toEqual(['Ingress QuotaFull']);
  });

  it('heals by itself once the write passes', async () => {
    const { scene, reconcile, condition } = reconciles(certified);
    scene.refuses = { Ingress: full() };
    await reconcile();
    scene.refuses = {};
    scene.at += 500;
    const outcome = await reconcile();
    expect(outcome.refused).toBeUndefined();
    expect(condition('Routed')?.reason).not.toBe('WriteRefused');
    expect(scene.status?.issues).toEqual([]);
  });

  it('keeps its words while the same refuses it, whatever time or number is in them', async () => {
    const { scene, reconcile } = reconciles(certified);
    scene.refuses = { Ingress: denied('denied at 12:00:01') };
    await reconcile();
    const first = scene.status;
    for (const words of ['denied at 12:00:02', 'request 4711 denied']) {
      scene.refuses = { Ingress: denied(words) };
      scene.at += 60_000;
      await reconcile();
      expect(scene.status).toEqual(first);
    }
    scene.refuses = { Ingress: full() };
    scene.at += 60_000;
    await reconcile();
    expect(scene.status).not.toEqual(first);
  });

  it('stays Live where its route answers, and says all the same that a change was refused', async () => {
    const { scene, reconcile, condition } = reconciles({
      ...certified,
      route,
      domain: domain({
        status: {
          state: 'Live',
          conditions: [
            {
              type: 'Routed',
              status: 'True',
              reason: 'Routed',
              message: '',
              lastTransitionTime: '2026-01-01T11:00:00Z',
            },
          ],
        },
      }),
    });
    scene.refuses = { Ingress: denied('no') };
    for (let turn = 0; turn < 3; turn += 1) {
      await reconcile();
      scene.at += 60_000;
      expect(scene.status?.state).toBe('Live');
      expect(condition('Routed')).toMatchObject({ status: 'True', reason: 'WriteRefused' });
      expect(scene.status?.issues).toEqual([expect.objectContaining({ code: 'AdmissionDenied', severity: 'Warning' })]);
    }
    scene.refuses = {};
    await reconcile();
    expect(condition('Routed')).toMatchObject({ status: 'True', reason: 'Routed' });
  });

  it('that was woken too early comes back as soon as it may be sent, and no later', async () => {
    const { scene, reconcile, condition } = reconciles(certified);
    scene.refuses = { Ingress: full() };
    await reconcile();
    scene.refuses = {};
    scene.at += 100;
    const { refused, requeueAfterMs } = await reconcile();
    expect([refused instanceof Error, requeueAfterMs]).toEqual([true, 400]);
    expect(condition('Routed')?.reason).toBe('WriteRefused');
    scene.at += 400;
    expect((await reconcile()).refused).toBeUndefined();
  });

  it('is sent at the pace of a back-off, whatever wakes it', async () => {
    const { scene, reconcile } = reconciles(certified);
    scene.refuses = { Ingress: full() };
    for (let wake = 0; wake < 1_000; wake += 1) {
      expect((await reconcile()).refused).toBeInstanceOf(Error);
      scene.at += 100;
    }
    expect(scene.sent.filter((one) => one === 'Ingress refused').length).toBeLessThan(12);
    expect(scene.events.filter(({ reason }) => reason === 'WriteRefused').length).toBeLessThan(12);
  });
});

describe('a domain whose other writes are refused', () => {
  it.each([
    ['HostnameClaim', { claim: undefined, claimRelation: { kind: 'Free', epoch: 1 } }, 'CertificateIssued'],
    ['Certificate', {}, 'CertificateIssued'],
  ] as const)('%s: says so in the condition of that step', async (kind, start, type) => {
    const { scene, reconcile, condition } = reconciles({ ...heldBy, verdict: verdict(), ...start });
    scene.refuses = { [kind]: denied('no') };
    await reconcile();
    expect(condition(type)).toMatchObject({ status: 'False', reason: 'WriteRefused' });
    expect(condition(type)?.message).toContain(`admission rules.example.com denies the write of ${kind} `);
    expect(condition('OwnershipVerified')?.status).toBe('True');
  });

  it('names no object of another account, which a webhook may know', async () => {
    const { scene, reconcile, condition } = reconciles(certified);
    scene.refuses = { Ingress: denied('host "www.example.com" is already defined in ingress globex/shop') };
    await reconcile();
    expect(condition('Routed')?.message).toContain('is already defined in ingress (of another account)');
    expect(JSON.stringify([scene.status, scene.events])).not.toContain('globex');
  });

  it('a claim that another reconcile made is a race and no refusal', async () => {
    const { scene, reconcile } = reconciles({
      ...heldBy,
      verdict: verdict(),
      claim: undefined,
      claimRelation: { kind: 'Free', epoch: 1 },
    });
    scene.refuses = { [HostnameClaimKind.kind]: taken };
    await expect(reconcile()).rejects.toBe(taken);
    expect(scene.events).toEqual([]);
  });

  it('its status: an Event says so, as nothing else can', async () => {
    const { scene, reconcile } = reconciles(certified);
    scene.refuses = { ProjectDomain: denied('no') };
    await expect(reconcile()).rejects.toBe(scene.refuses.ProjectDomain);
    expect(scene.events.map(({ type, reason }) => `${type} ${reason}`)).toContain('Warning WriteRefused');
  });
});

describe('what nobody says in a status', () => {
  const namespaced = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'x', namespace: 'acme' } };
  const apply: WriteAction = {
    verb: 'apply',
    kind: { apiVersion: 'v1', kind: 'Service', plural: 'services', namespaced: true },
    object: namespaced,
  };

  it('is an Event about the object that was to be written, and thrown', async () => {
    const events: EventRecord[] = [];
    const refusal = denied('no');
    const cluster = { apply: () => Promise.reject(refusal) } as unknown as Cluster;
    const applying = applyActions(
      { cluster, now: () => 0, recordEvent: (event) => void events.push(event) },
      { writes: [apply], events: [], requeueAt: null },
    );
    await expect(applying).rejects.toBe(refusal);
    expect(events).toMatchObject([{ about: namespaced, type: 'Warning', reason: 'WriteRefused' }]);
  });
});
