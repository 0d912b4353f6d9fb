import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemNamespace } from '../../../dev/platform/chart.ts';
import { secretsRight } from '../../../dev/platform/demo-account.ts';
import { api, tenant } from '../../support/actors.ts';
import type { AttackCluster } from '../../support/attack-cluster.ts';
import { acme, attackCluster, create, patch, plain, rehearse } from '../../support/attack-cluster.ts';
import { controlPlaneDeadlineMs } from '../../support/control-plane.ts';
import * as made from '../../support/tenant-objects.ts';

/**
 * Who takes the API over may create and delete Secrets of account namespaces, for RBAC knows neither names of a POST nor labels. The admission
 * policy projectdomain-own-certificates holds it to those with certificates that customers sent, and nothing lets it read one.
 */

const name = `pd-own-${'a'.repeat(26)}`;
const labels = { 'app.kubernetes.io/managed-by': 'projectdomain' };
const owner = (kind: string, apiVersion = 'projectdomain.io/v1alpha1') => ({
  apiVersion,
  kind,
  name: 'www',
  uid: 'u-1',
});

/** The Secret of a certificate that a customer sent, with what is to be wrong about it. */
const sent = (metadata: object = {}, changes: object = {}) => ({
  ...made.tlsSecret({ labels, ownerReferences: [owner('ProjectDomain')], ...metadata }, name, acme),
  immutable: true,
  ...changes,
});

let cluster: AttackCluster;
beforeAll(async () => {
  cluster = await attackCluster(
    secretsRight('projectdomain-api', plain),
    made.tlsSecret({}, 'pd-served', acme),
    made.tlsSecret({}, 'own', acme),
    { ...made.tlsSecret({ labels }, `pd-own-${'b'.repeat(26)}`, acme), immutable: true },
    made.tlsSecret({ labels }, `pd-own-${'c'.repeat(26)}`, acme),
  );
}, controlPlaneDeadlineMs);
afterAll(() => cluster.stop(), controlPlaneDeadlineMs);

const policy = 'projectdomain-own-certificates';

describe("with the API's rights there is refused", () => {
  it.each<[string, args: readonly string[], object?: object]>([
    ['the Secret of a certificate that was ordered', create, sent({ name: 'pd-qd6a7ojgnw33qp4fquh2bzsu' })],
    ["a Secret of the tenant's", create, sent({ name: 'database' })],
    [
      'a name that is drawn',
      create,
      { ...sent(), metadata: { ...sent().metadata, name: undefined, generateName: 'pd-own-' } },
    ],
    [
      'a token of an account',
      create,
      sent(
        { annotations: { 'kubernetes.io/service-account.name': 'default' } },
        { type: 'kubernetes.io/service-account-token' },
      ),
    ],
    ['an opaque one', create, sent({}, { type: 'Opaque' })],
    ['one that can be changed later', create, sent({}, { immutable: false })],
    ['one that nobody owns', create, sent({ ownerReferences: [] })],
    ['one that something else owns', create, sent({ ownerReferences: [owner('Account')] })],
    ['one with a second owner', create, sent({ ownerReferences: [owner('ProjectDomain'), owner('Pod', 'v1')] })],
    ['the end of a certificate that was ordered', ['delete', 'secret', 'pd-served', '-n', acme]],
    ["the end of a tenant's Secret", ['delete', 'secret', 'own', '-n', acme]],
    [
      'the end of one by such a name that is not like them',
      ['delete', 'secret', `pd-own-${'c'.repeat(26)}`, '-n', acme],
    ],
  ])('%s', async (...[, args, object]) => {
    expect(await cluster.refusal(api, args, object)).toContain(policy);
  });

  // Two policies refuse it, and the API server names whichever it asked first.
  it('one in a namespace of no account', async () => {
    const elsewhere = { ...sent(), metadata: { ...sent().metadata, namespace: plain } };
    expect(await cluster.refusal(api, create, elsewhere)).toMatch(
      /'projectdomain-own-(certificates|rights)' denied request: .*in account namespaces alone/,
    );
  });

  it.each<[string, args: readonly string[]]>([
    ['to read one', ['get', 'secret', 'own', '-n', acme]],
    ['to list them', ['get', 'secrets', '-n', acme]],
    ['to change one', patch('secret', `pd-own-${'b'.repeat(26)}`, { metadata: { labels: { mine: 'true' } } })],
    ['to delete all at once, whose answer would show them', ['delete', '--raw', `/api/v1/namespaces/${acme}/secrets`]],
    ['one of the system namespace', ['delete', 'secret', 'projectdomain-hmac', '-n', systemNamespace]],
  ])('%s', async (...[, args]) => {
    expect(await cluster.refusal(api, args)).toMatch(
      /Forbidden.*cannot (get|list|patch|deletecollection|delete) resource "secrets"/s,
    );
  });
});

describe('what it is for goes on', () => {
  it.each<[string, object]>([
    ['the Secret of a certificate that was sent', labels],
    ["the same after somebody else's policy has set its labels", { 'app.kubernetes.io/managed-by': 'Kyverno' }],
    ['the same after a policy has taken them all', {}],
  ])('%s', async (_, given) => {
    expect(await cluster.as(api, rehearse, sent({ labels: given }))).toMatch(/created \(server dry run\)/);
  });

  it('its end', async () => {
    const args = ['delete', '--raw', `/api/v1/namespaces/${acme}/secrets/pd-own-${'b'.repeat(26)}`];
    expect(await cluster.as(api, args)).toMatch(/"status":"Success"/);
  });

  it('a tenant writes none of them', async () => {
    expect(await cluster.refusal(tenant, create, sent())).toContain('projectdomain-secrets');
  });
});
