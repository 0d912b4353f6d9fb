import { describe, expect, it } from '@jest/globals';
import { explainRefusal } from '../../../src/cli/explain-refusal.ts';
import { KubernetesError, TransportError } from '../../../src/kubernetes/kubernetes-errors.ts';

const asked = { server: 'https://10.0.0.1:6443', context: 'prod' };

const refusal = (status: number, message: string, reason = 'Reason') =>
  new KubernetesError({ status, reason, message, retryAfterMs: null });

const silence = (code: string, message = 'failed') =>
  new TransportError(`GET /apis/projectdomain.io/v1alpha1/plans: ${message}`, {
    cause: Object.assign(new Error(message), { code }),
  });

const forbidden = (verb: string, resource: string, where: string) =>
  refusal(
    403,
    `${resource}.projectdomain.io is forbidden: User "ada" cannot ${verb} resource "${resource}" in API group "projectdomain.io" ${where}`,
    'Forbidden',
  );

describe('what the API server refuses is one sentence that says what to do', () => {
  it.each<[string, KubernetesError, readonly string[]]>([
    ['credentials that are not accepted', refusal(401, 'Unauthorized'), ['context prod', 'log in again']],
    [
      'a domain that may not be read: the role that only looks',
      forbidden('list', 'projectdomains', 'in the namespace "acme"'),
      ["ada lacks the right 'list' on projectdomains.projectdomain.io in namespace acme", 'ClusterRole view'],
    ],
    [
      'a domain that may not be verified: the role that changes',
      forbidden('patch', 'projectdomains', 'in the namespace "acme"'),
      ["'patch' on projectdomains.projectdomain.io in namespace acme", 'ClusterRole edit'],
    ],
    [
      'all namespaces: one may do',
      forbidden('list', 'projectdomains', 'at the cluster scope'),
      ['in the whole cluster', 'name one namespace with -n'],
    ],
    [
      'keys: administrators only',
      forbidden('create', 'apikeys', 'at the cluster scope'),
      ["'create' on apikeys.projectdomain.io in the whole cluster", 'administrators'],
    ],
    ['a policy that refuses: its own words', refusal(403, 'policy says no'), ['refused it: policy says no']],
    ['a kind that is not there', refusal(404, '404 page not found\n'), ['CRDs', asked.server]],
    ['too much at once', refusal(429, 'too many requests'), ['try again']],
    ['anything else: its own words', refusal(422, 'spec.x: Required', 'Invalid'), ['refused it: spec.x: Required']],
  ])('%s', (_, error, parts) => {
    const sentence = explainRefusal(error, asked);
    for (const part of parts) expect(sentence).toContain(part);
    expect(sentence).not.toMatch(/\n|^\d/);
  });
});

describe('an API server that does not answer is one sentence that says what to do', () => {
  it.each<[string, TransportError, readonly string[]]>([
    ['nobody listens', silence('ECONNREFUSED'), ['nothing listens at https://10.0.0.1:6443', '--context']],
    ['its name is unknown', silence('ENOTFOUND'), ['cannot be resolved', 'context prod']],
    ['its certificate is foreign', silence('SELF_SIGNED_CERT_IN_CHAIN'), ['does not trust', 'certificate-authority']],
    ['its certificate is for another name', silence('ERR_TLS_CERT_ALTNAME_INVALID'), ['does not trust']],
    ['it takes too long', silence('UND_ERR_CONNECT_TIMEOUT', 'Connect Timeout'), ['did not answer (Connect Timeout)']],
    ['for no reason', new TransportError('GET /api: the answer is not JSON'), ['did not answer (the answer is not']],
  ])('%s', (_, error, parts) => {
    const sentence = explainRefusal(error, asked);
    for (const part of parts) expect(sentence).toContain(part);
  });
});
