import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { kubernetesError, KubernetesError, TransportError } from '../../../src/kubernetes/kubernetes-errors.ts';
import { withoutForeignNames, refusalOf } from '../../../src/rules/write-refusal.ts';

/** What the kube-apiserver answers to writes that it refuses: the bodies are those of a real one (v1.36), as it sent them. */

type Statuses = Readonly<Record<string, { readonly status: number; readonly body: object }>>;
const file = join(import.meta.dirname, 'write-refusal-statuses.json');
const statuses = JSON.parse(readFileSync(file, 'utf8')) as Statuses;

function answered(name: string): KubernetesError {
  const { status, body } = statuses[name] ?? { status: 0, body: {} };
  return kubernetesError(status, JSON.stringify(body), undefined);
}
const said = (status: number, reason: string, message: string) =>
  new KubernetesError({ status, reason, message, retryAfterMs: null });
const quota = (used: number) =>
  said(
    403,
    'Forbidden',
    `ingresses.networking.k8s.io "pd-a" is forbidden: exceeded quota: few-ingresses, requested: count/ingresses.networking.k8s.io=1, used: count/ingresses.networking.k8s.io=${used},count/services=${used}, limited: count/ingresses.networking.k8s.io=50,count/services=50`,
  );
const timeout = new TransportError('PATCH /x: aborted', { cause: new DOMException('late', 'TimeoutError') });

describe('a refusal of the kube-apiserver', () => {
  it.each<[string, unknown, string | null, string]>([
    ['of a ResourceQuota', quota(50), 'QuotaFull', 'few-ingresses'],
    [
      'of a ResourceQuota that has not counted',
      said(403, 'Forbidden', 'pods "a" is forbidden: status unknown for quota: few, resources: pods'),
      'QuotaFull',
      'few',
    ],
    ['by rights', answered('rbac'), 'OperatorForbidden', ''],
    ['of a policy', answered('vap-plain'), 'AdmissionDenied', 'vap-plain'],
    ['of a policy with a reason of its own', answered('vap-forbidden'), 'AdmissionDenied', 'vap-forbidden'],
    ['of a webhook', answered('hook-deny'), 'AdmissionDenied', 'hook-deny.example.com'],
    ['of a webhook with a code of its own', answered('hook-coded'), 'AdmissionDenied', 'hook-coded.example.com'],
    ['of a mutating webhook', answered('mut-hook-deny'), 'AdmissionDenied', 'mut-hook-deny.example.com'],
    ['without a webhook', answered('hook-away'), 'AdmissionUnavailable', 'hook-away.example.com'],
    ['by a webhook that is too slow', answered('hook-slow'), 'AdmissionUnavailable', 'hook-slow.example.com'],
    ['without a mutating webhook', answered('mut-hook-away'), 'AdmissionUnavailable', 'mut-hook-away.example.com'],
    ['by a LimitRange', said(403, 'Forbidden', 'pods "a" is forbidden: minimum cpu usage is 1'), 'AdmissionDenied', ''],
    ['in time that is up', said(504, 'Timeout', 'Timeout: request did not complete'), 'WriteUnanswered', ''],
    ['that never came', timeout, 'WriteUnanswered', ''],
    ['by an owner of fields', answered('field-owners'), 'FieldsOwnedElsewhere', ''],
    ['by a name that exists', answered('exists'), 'NameTaken', ''],
    ['by a name that is being deleted', answered('exists-deleting'), 'NameTaken', ''],
    ['of a namespace that ends', answered('terminating'), 'NamespaceEnding', ''],
    ['of a field', answered('invalid'), 'ObjectRejected', ''],
    ['of a field that does not change', answered('immutable'), 'ObjectRejected', ''],
    ['of a size', answered('too-large'), 'ObjectRejected', ''],
    ['that a later version decides on', answered('stale'), null, ''],
    ['where the object or its namespace is gone', answered('no-namespace'), null, ''],
    ['while it is busy', said(429, 'TooManyRequests', 'try again'), null, ''],
    ['while etcd is away', said(500, 'InternalError', 'etcdserver: request timed out'), null, ''],
    ['of a credential', said(401, 'Unauthorized', 'Unauthorized'), null, ''],
    ['that did not get there', new TransportError('PATCH /x: connect ECONNREFUSED'), null, ''],
    ['that is none', new Error('exceeded quota: x'), null, ''],
    ['of nothing', undefined, null, ''],
  ])('%s is told', (_, error, code, by) => {
    const refusal = refusalOf(error);
    expect(refusal && [refusal.code, refusal.by]).toEqual(code && [code, by]);
  });

  it('is told by what the kube-apiserver says, not by what a webhook quotes', () => {
    const forged = said(
      400,
      'Status400',
      'admission webhook "w" denied the request: exceeded quota: platform, requested',
    );
    expect(refusalOf(forged)).toMatchObject({ code: 'AdmissionDenied', by: 'w' });
  });

  it('says the same while only a count changes', () => {
    expect(refusalOf(quota(50))).toEqual(refusalOf(quota(51)));
    expect(refusalOf(quota(50))?.said).toContain('limited: count/ingresses.networking.k8s.io=50');
  });

  it('is one printable line of a bounded length, whatever a webhook answers', () => {
    expect(refusalOf(answered('hook-deny'))?.said).toMatch(/globex\/shop\?\[31m$/);
    const hostile = `admission webhook "w" denied the request: \u001b]52;c;eA==\u0007\r\n\u202e${'a'.repeat(1_000_000)}`;
    const { said: words } = refusalOf(said(400, 'x', hostile)) ?? { said: '' };
    expect(words).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect([...words]).toHaveLength(500);
  });

  it('names a quota in no more characters than a name has', () => {
    const long = said(403, 'Forbidden', `x "y" is forbidden: exceeded quota: ${'q'.repeat(10_000)}, requested: z=1`);
    expect(refusalOf(long)?.by.length).toBe(253);
  });
});

describe('what one account reads', () => {
  it.each([
    ['ingress globex/shop has the host', 'ingress (of another account) has the host'],
    ['already in namespace "globex"', 'already in namespace "(of another account)"'],
    ['ingress acme/shop has the host', 'ingress acme/shop has the host'],
    ['count/ingresses.networking.k8s.io=1', 'count/ingresses.networking.k8s.io=1'],
    ['globex-two is not globex', 'globex-two is not (of another account)'],
  ])('of "%s" names no object of another', (text, wanted) => {
    expect(withoutForeignNames(text, (name) => name === 'globex')).toBe(wanted);
  });
});
