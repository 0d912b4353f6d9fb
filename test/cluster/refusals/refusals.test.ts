import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { installCertManagerKinds } from '../../../dev/platform/services.ts';
import { applyActions } from '../../../src/controllers/apply-actions.ts';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import { createRefusedWrites } from '../../../src/controllers/refused-writes.ts';
import type { ReconcileResult } from '../../../src/controller-runtime/actions.ts';
import type { Project } from '../../../src/generated/project.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { createCluster } from '../../../src/kubernetes/cluster-client.ts';
import { connect } from '../../../src/kubernetes/connection.ts';
import { createEventRecorder } from '../../../src/kubernetes/event-recorder.ts';
import type { Transport } from '../../../src/kubernetes/transport.ts';
import { createTransport } from '../../../src/kubernetes/transport.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { findCondition } from '../../../src/rules/conditions.ts';
import { childName } from '../../../src/rules/dns-target.ts';
import type { SharedControlPlane } from '../../support/control-plane.ts';
import { controlPlaneDeadlineMs, sharedControlPlane } from '../../support/control-plane.ts';
import { fromNow } from '../../support/from-now.ts';
import { certificateIn, heldBy, snapshot, verdict } from '../../support/snapshot.ts';

/** A domain whose Ingress a real kube-apiserver refuses: it says so, an Event does, and it heals once what refused is gone. */

const hostname = 'www.example.com';
const seenWithinMs = 60_000;
const caseDeadlineMs = 180_000;
let controlPlane: SharedControlPlane;
let transport: Transport;
const ending = new AbortController();

beforeAll(async () => {
  controlPlane = await sharedControlPlane();
  await installCertManagerKinds(controlPlane.kubectl);
  transport = createTransport(await connect(controlPlane.kubeconfig));
}, controlPlaneDeadlineMs);

afterAll(async () => {
  ending.abort();
  await transport.close();
  await controlPlane.stop();
}, controlPlaneDeadlineMs);

const own = { apiVersion: 'projectdomain.io/v1alpha1' };
const admission = { apiVersion: 'admissionregistration.k8s.io/v1' };
const ingresses = (operations: readonly string[]) => ({
  ...{ apiGroups: ['networking.k8s.io'], apiVersions: ['*'], resources: ['ingresses'] },
  operations,
});
const only = (namespace: string) => ({ matchLabels: { 'kubernetes.io/metadata.name': namespace } });

const quota = (namespace: string) => ({
  ...{ apiVersion: 'v1', kind: 'ResourceQuota' },
  metadata: { name: 'no-ingresses', namespace },
  spec: { hard: { 'count/ingresses.networking.k8s.io': '0' } },
});
const policy = (namespace: string) => ({
  ...{ ...admission, kind: 'ValidatingAdmissionPolicy' },
  metadata: { name: 'no-ingresses' },
  spec: {
    matchConstraints: { namespaceSelector: only(namespace), resourceRules: [ingresses(['CREATE', 'UPDATE'])] },
    validations: [{ expression: 'false', message: 'no Ingress here' }],
  },
});
const binding = {
  ...{ ...admission, kind: 'ValidatingAdmissionPolicyBinding' },
  metadata: { name: 'no-ingresses' },
  spec: { policyName: 'no-ingresses', validationActions: ['Deny'] },
};
const webhook = (namespace: string) => ({
  ...{ ...admission, kind: 'ValidatingWebhookConfiguration' },
  metadata: { name: 'away' },
  webhooks: [
    {
      ...{ name: 'away.example.com', failurePolicy: 'Fail', sideEffects: 'None', admissionReviewVersions: ['v1'] },
      clientConfig: { url: 'https://127.0.0.1:9/' },
      namespaceSelector: only(namespace),
      rules: [ingresses(['CREATE', 'UPDATE'])],
    },
  ],
});

/** A domain of its own namespace that holds its hostname and has a certificate; one call is one reconcile. */
async function domainIn(namespace: string) {
  const { kubectl } = controlPlane;
  await kubectl.run(['create', 'namespace', namespace]);
  const spec = { service: { name: 'shop-web', port: 80 } };
  await kubectl.apply({ ...own, kind: 'Project', metadata: { name: 'shop', namespace }, spec });
  await kubectl.apply({
    ...{ ...own, kind: 'ProjectDomain', metadata: { name: 'www', namespace } },
    spec: { project: 'shop', hostname, role: 'Primary' },
  });
  const project = (await kubectl.get<Project>('project', 'shop', namespace)) as Project;
  let elapsed = 0;
  const dependencies = {
    cluster: createCluster(transport, 'projectdomain-operator'),
    now: systemClock.now,
    recordEvent: createEventRecorder({ transport, log: silentLog, clock: systemClock }, ending.signal),
    refusedWrites: createRefusedWrites({ elapsed: () => elapsed, observe: () => undefined, isOfAccount: () => false }),
  };
  const read = async () => (await kubectl.get<ProjectDomain>('projectdomain', 'www', namespace)) as ProjectDomain;
  return {
    read,
    async reconcile(): Promise<ReconcileResult> {
      elapsed += 60_000;
      const domain = await read();
      const held = { ...heldBy, verdict: verdict(), certificate: certificateIn(true) };
      const seen = snapshot({ ...held, domain, project, now: fromNow(0) });
      return applyActions(dependencies, decideProjectDomain(seen), {
        about: domain,
        again: (refused) => decideProjectDomain({ ...seen, refused }),
      });
    },
    async warnings(): Promise<readonly string[]> {
      const text = await kubectl.run(['get', 'events.events.k8s.io', '-n', namespace, '-o', 'json']);
      const { items } = JSON.parse(text) as {
        items: readonly { reason: string; note: string; regarding: { kind: string } }[];
      };
      return items
        .filter(({ reason }) => reason === 'WriteRefused')
        .map(({ note, regarding }) => `${regarding.kind}: ${note}`);
    },
  };
}

interface Case {
  readonly obstacle: readonly object[];
  readonly code: string;
  readonly head: RegExp;
}

it.each<[string, string, (namespace: string) => Case]>([
  [
    'a ResourceQuota without room',
    'of-quota',
    (namespace) => ({
      obstacle: [quota(namespace)],
      code: 'QuotaFull',
      head: /^ResourceQuota no-ingresses leaves no room for Ingress of-quota\/pd-.*exceeded quota: no-ingresses, requested: count\/ingresses\.networking\.k8s\.io=1, limited: count\/ingresses\.networking\.k8s\.io=0$/,
    }),
  ],
  [
    'a ValidatingAdmissionPolicy',
    'of-policy',
    (namespace) => ({
      obstacle: [policy(namespace), binding],
      code: 'AdmissionDenied',
      head: /^admission no-ingresses denies the write of Ingress of-policy\/pd-.*denied request: no Ingress here$/,
    }),
  ],
  [
    'a webhook that cannot be reached',
    'of-webhook',
    (namespace) => ({
      obstacle: [webhook(namespace)],
      code: 'AdmissionUnavailable',
      head: /^admission webhook away\.example\.com does not answer, so Ingress of-webhook\/pd-.*connection refused$/,
    }),
  ],
])(
  '%s: the condition, an issue and an Event say so, and it heals when that is lifted',
  async (_, namespace, caseOf) => {
    const { kubectl } = controlPlane;
    const domain = await domainIn(namespace);
    const { obstacle, code, head } = caseOf(namespace);
    await kubectl.apply(...obstacle);
    await eventually('the refusal', seenWithinMs, async () => {
      // Kubernetes enforces what was just made only once it has seen it.
      await kubectl.run(['delete', 'ingress', '--all', '-n', namespace]);
      expectThat((await domain.reconcile()).refused !== undefined, 'the Ingress was written');
    });
    const { status } = await domain.read();
    expect(findCondition(status?.conditions, 'Routed')).toMatchObject({
      status: 'False',
      reason: 'WriteRefused',
      message: expect.stringMatching(head),
    });
    expect(status?.issues).toEqual([expect.objectContaining({ code, severity: 'Error', actor: 'Platform' })]);
    await eventually('the Event', seenWithinMs, async () => {
      const [warning] = await domain.warnings();
      expectThat(warning?.startsWith('ProjectDomain: ') === true, `${warning}`);
    });
    await kubectl.run(['delete', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: obstacle }));
    await eventually('the Ingress', seenWithinMs, async () => {
      expectThat((await domain.reconcile()).refused === undefined, 'it is refused still');
    });
    expect(await kubectl.get('ingress', childName(hostname), namespace)).not.toBeNull();
    const healed = (await domain.read()).status;
    expect(findCondition(healed?.conditions, 'Routed')?.reason).not.toBe('WriteRefused');
    expect(healed?.issues).toEqual([]);
    expect(healed?.timeline?.map(({ code: of, reason }) => of && `${of} ${reason}`)).toEqual(
      expect.arrayContaining([`${code} Appeared`, `${code} Gone`]),
    );
  },
  caseDeadlineMs,
);

it(
  'another owner of its fields refuses nothing: the operator takes them back',
  async () => {
    const domain = await domainIn('of-owner');
    expect((await domain.reconcile()).refused).toBeUndefined();
    const name = childName(hostname);
    const others = {
      ...{ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name, namespace: 'of-owner' } },
      spec: { ingressClassName: 'theirs' },
    };
    const args = ['apply', '--server-side', '--field-manager=theirs', '--force-conflicts', '-f', '-'];
    await controlPlane.kubectl.run(args, JSON.stringify(others));
    expect((await domain.reconcile()).refused).toBeUndefined();
    const found = await controlPlane.kubectl.get<typeof others>('ingress', name, 'of-owner');
    expect(found?.spec.ingressClassName).toBe('nginx');
  },
  caseDeadlineMs,
);
