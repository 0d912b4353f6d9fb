import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import { KubernetesError } from '../../../src/kubernetes/kubernetes-errors.ts';
import type { Cluster } from '../../../src/kubernetes/kubernetes-port.ts';
import { ProjectDomainKind, SecretKind } from '../../../src/resources/kinds.ts';
import type { OwnCertificate } from '../../../src/rules/own-certificate.ts';
import { changeDomain } from '../../../src/use-cases/change-domain.ts';
import { removeCertificate, replaceCertificate, showCertificate } from '../../../src/use-cases/own-certificates.ts';
import type { RequestContext } from '../../../src/use-cases/api-dependencies.ts';
import type { InMemoryApi } from '../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';
import type { Made } from '../../support/made-certificates.ts';
import { certificateMaker, names, ofServer } from '../../support/made-certificates.ts';

/**
 * Own certificates as the API takes them: where key and facts go, and what stays as it was when something is refused or fails. Fails when a Secret is left
 * that nobody knows of, a certificate is named that is not there, or a key is told.
 */

const maker = certificateMaker();
afterAll(() => maker.remove());
const { root, intermediate } = maker.authorities();
const first = maker.make({ by: intermediate });
const second = maker.make({ by: intermediate });
const shared = maker.make({
  by: intermediate,
  extensions: [...ofServer, names('www.example.com', 'shop.example.com', 'eu.example.com')],
});

const apis: InMemoryApi[] = [];
afterEach(() => apis.splice(0).forEach((api) => api.stop()));

const www = { project: 'shop', hostname: 'www.example.com' };
const sent = (made: Made) => ({
  ...www,
  sent: { certificate: [made, intermediate, root].map(({ pem }) => pem).join(''), privateKey: made.key },
});

const claim = (api: InMemoryApi, hostname: string, spec: Partial<HostnameClaim['spec']> = {}) =>
  api.put({
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'HostnameClaim',
    metadata: { name: hostname },
    spec: {
      account: 'id-of-acme',
      holder: { namespace: 'acme', name: hostname },
      phase: 'Held',
      epoch: 1,
      proof: { method: 'TXT', at: '2026-01-01T00:00:00Z' },
      ...spec,
    },
  });

/** Account acme with www.example.com, which it holds. */
function start(plan = 'pro') {
  const api = createInMemoryApi();
  apis.push(api);
  const key = api.account('acme', plan);
  api.domain('acme', www.hostname);
  claim(api, www.hostname);
  const context: RequestContext = api.as(key);
  return { api, context };
}

const at = { namespace: 'acme', name: www.hostname };
const domainOf = (api: InMemoryApi) => api.cluster.get(ProjectDomainKind, at);
const secretOf = (api: InMemoryApi, name: string) => api.cluster.get(SecretKind, { namespace: 'acme', name });
const namedBy = async (api: InMemoryApi): Promise<OwnCertificate | undefined> =>
  (await domainOf(api))?.spec.certificate;

/** As the operator does once it has seen the Secret. */
async function takeOver(api: InMemoryApi, served = false): Promise<void> {
  const domain = await domainOf(api);
  const certificate = domain?.spec.certificate;
  if (!domain || !certificate) throw new Error('there is nothing to take over');
  const { secretName: name, names: certified, notAfter } = certificate;
  const before = domain.status?.certificate?.ownSecrets ?? [];
  api.put({
    ...domain,
    status: {
      ...domain.status,
      certificate: {
        ownSecrets: [...before, { name, names: certified, notAfter }],
        ...(served ? { served: { secretName: name, since: '2026-01-01T00:00:00Z' } } : {}),
      },
    },
  });
}

const refused = (working: Promise<unknown>) =>
  working.then(
    () => null,
    (error: { code?: string; members?: object; message: string }) => error,
  );

describe('a certificate that is sent', () => {
  it('becomes an immutable Secret that its domain owns, and facts in the domain', async () => {
    const { api, context } = start();
    const shown = await replaceCertificate(context, sent(first));
    const certificate = await namedBy(api);
    const secret = await secretOf(api, certificate?.secretName ?? '');
    expect(secret).toMatchObject({
      type: 'kubernetes.io/tls',
      immutable: true,
      metadata: {
        namespace: 'acme',
        labels: { 'app.kubernetes.io/managed-by': 'projectdomain' },
        ownerReferences: [{ kind: 'ProjectDomain', name: www.hostname, uid: (await domainOf(api))?.metadata.uid }],
      },
      data: { 'tls.key': btoa(first.key), 'tls.crt': btoa([first, intermediate, root].map(({ pem }) => pem).join('')) },
    });
    expect(certificate).toMatchObject({ names: [www.hostname], issuer: 'CN=Example Intermediate' });
    expect(shown).toEqual({
      issuer: 'CN=Example Intermediate',
      names: [www.hostname],
      fingerprint: certificate?.chain[0],
      notBefore: certificate?.notBefore,
      notAfter: certificate?.notAfter,
      served: false,
    });
    expect(await showCertificate(context, www)).toEqual(shown);
  });

  it('again is no mistake, and writes nothing', async () => {
    const { api, context } = start();
    const shown = await replaceCertificate(context, sent(first));
    const { length } = api.cluster.written;
    expect(await replaceCertificate(context, sent(first))).toEqual(shown);
    expect(api.cluster.written).toHaveLength(length);
  });

  it('again after its Secret was lost is there again, and the operator is asked to look', async () => {
    const { api, context } = start();
    await replaceCertificate(context, sent(first));
    const { secretName = '' } = (await namedBy(api)) ?? {};
    await api.cluster.remove(SecretKind, { namespace: 'acme', name: secretName });
    await replaceCertificate(context, sent(first));
    expect(await secretOf(api, secretName)).toBeDefined();
    expect(Object.keys((await domainOf(api))?.metadata.annotations ?? {})).toEqual([
      'projectdomain.io/verify-requested-at',
    ]);
  });

  it('is shown as served once the operator has seen it', async () => {
    const { api, context } = start();
    await replaceCertificate(context, sent(first));
    await takeOver(api, true);
    expect((await showCertificate(context, www)).served).toBe(true);
  });

  it('takes the place of one that the operator knows of, whose Secret stays until that deletes it', async () => {
    const { api, context } = start();
    await replaceCertificate(context, sent(first));
    const before = (await namedBy(api))?.secretName ?? '';
    await takeOver(api);
    await replaceCertificate(context, sent(second));
    const after = (await namedBy(api))?.secretName ?? '';
    expect([await secretOf(api, before), await secretOf(api, after)]).not.toContain(undefined);
    expect(after).not.toBe(before);
  });

  it.each<[string, served: 'first' | 'second', code: string | undefined]>([
    ['that is still served comes back at once', 'first', undefined],
    ['that is about to be deleted is refused for now', 'second', 'conflict'],
  ])('again after another one, %s', async (_, served, code) => {
    const { api, context } = start();
    await replaceCertificate(context, sent(first));
    await takeOver(api, true);
    await replaceCertificate(context, sent(second));
    await takeOver(api, served === 'second');
    const domain = await domainOf(api);
    const [before] = domain?.status?.certificate?.ownSecrets ?? [];
    const showing = { secretName: before?.name ?? '', since: '2026-01-01T00:00:00Z' };
    if (served === 'first')
      api.put({
        ...domain,
        status: { ...domain?.status, certificate: { ...domain?.status?.certificate, served: showing } },
      });
    expect((await refused(replaceCertificate(context, sent(first))))?.code).toBe(code);
  });

  it('is kept through a change of the role, and so is the nonce', async () => {
    const { api, context } = start();
    await replaceCertificate(context, sent(first));
    const domain = await domainOf(api);
    if (!domain) throw new Error('there is no domain');
    const { certificate } = domain.spec;
    expect(certificate).toBeDefined();
    api.put({ ...domain, spec: { ...domain.spec, nonce: 'nonce-of-the-domain' } });
    const redirect = { to: 'acme.apps.example.net', status: 301 } as const;
    await changeDomain(context, { ...www, change: { role: 'redirect', redirect } });
    expect((await domainOf(api))?.spec).toMatchObject({ role: 'Redirect', nonce: 'nonce-of-the-domain', certificate });
  });

  it('may name other hostnames that the account holds, in whichever project', async () => {
    const { api, context } = start();
    claim(api, 'shop.example.com', { holder: { namespace: 'acme', name: 'other' } });
    claim(api, 'eu.example.com');
    expect((await replaceCertificate(context, sent(shared))).names).toHaveLength(3);
  });
});

describe('nothing is stored', () => {
  const noRight = new KubernetesError({
    ...{ status: 403, reason: 'Forbidden', retryAfterMs: null },
    message: 'secrets is forbidden: User "x" cannot create resource "secrets" in API group "" in the namespace "acme"',
  });
  type Given = (api: InMemoryApi) => void;
  it.each<[string, given: Given, made: Made, code: string, members: object]>([
    [
      'for a hostname that the account does not hold',
      (api) => claim(api, www.hostname, { phase: 'Tombstone' }),
      first,
      'hostname-not-held',
      { hostnames: [www.hostname] },
    ],
    [
      'for one that another account holds',
      (api) => claim(api, www.hostname, { account: 'id-of-rival', holder: { namespace: 'rival', name: 'www' } }),
      first,
      'hostname-not-held',
      { hostnames: [www.hostname] },
    ],
    [
      'where other names are not held, or not by the account',
      (api) => claim(api, 'shop.example.com', { account: 'id-of-rival' }),
      shared,
      'hostname-not-held',
      { hostnames: ['shop.example.com', 'eu.example.com'] },
    ],
    [
      'for another hostname than is named',
      () => undefined,
      maker.make({ by: intermediate, extensions: [...ofServer, names('a.example.com')] }),
      'invalid-certificate',
      { reason: 'HostnameMissing' },
    ],
    [
      "for a hostname of the platform's, though the account holds its claim",
      (api) => claim(api, 'shop.apps.example.net', { proof: { method: 'Platform', at: '2026-01-01T00:00:00Z' } }),
      maker.make({ by: intermediate, extensions: [...ofServer, names(www.hostname, 'shop.apps.example.net')] }),
      'invalid-certificate',
      { reason: 'PlatformName' },
    ],
    [
      'for the common name of somebody else',
      () => undefined,
      maker.make({ by: intermediate, subject: '/CN=www.example.com,www.example.org' }),
      'invalid-certificate',
      { reason: 'CommonName' },
    ],
  ])('%s', async (...[, given, made, code, members]) => {
    const { api, context } = start();
    given(api);
    const { length } = api.cluster.written;
    expect(await refused(replaceCertificate(context, sent(made)))).toMatchObject({ code, members });
    expect(api.cluster.written).toHaveLength(length);
  });

  it('on a plan without custom domains', async () => {
    const { context } = start('free');
    expect(await refused(replaceCertificate(context, sent(first)))).toMatchObject({ code: 'plan-upgrade-required' });
  });

  it('where the API server has no rights, which is said', async () => {
    const { api, context } = start();
    const cluster: Cluster = { ...api.cluster, create: () => Promise.reject(noRight) };
    const without = { ...context, dependencies: { ...context.dependencies, cluster } };
    const problem = await refused(replaceCertificate(without, sent(first)));
    expect(problem).toMatchObject({ code: 'account-not-ready', message: /projectdomain-api-account-namespace/ });
    expect(await namedBy(api)).toBeUndefined();
  });

  it('of a key in what is said of it', async () => {
    const { context } = start();
    const other = { ...sent(first), sent: { ...sent(first).sent, privateKey: second.key } };
    const problem = await refused(replaceCertificate(context, other));
    expect(problem).toMatchObject({ code: 'invalid-certificate', members: { reason: 'KeyMismatch' } });
    expect(JSON.stringify([problem, problem?.message])).not.toContain(second.key.split('\n')[1]);
  });
});

describe('a Secret that was made in vain', () => {
  const fails = (api: InMemoryApi, context: RequestContext, change: () => Promise<void>): RequestContext => {
    const failed = new KubernetesError({ status: 503, reason: 'ServiceUnavailable', message: '', retryAfterMs: null });
    const replace = async () => {
      await change();
      throw failed;
    };
    return { ...context, dependencies: { ...context.dependencies, cluster: { ...api.cluster, replace } } };
  };

  it('is deleted when the domain cannot be written', async () => {
    const { api, context } = start();
    const failing = fails(api, context, () => Promise.resolve());
    expect(await refused(replaceCertificate(failing, sent(first)))).toMatchObject({ status: 503 });
    await replaceCertificate(context, sent(first));
    const { secretName = '' } = (await namedBy(api)) ?? {};
    // The second one made it anew: three writes of it, and one of the domain.
    expect(api.cluster.written.filter((name) => name === `acme/${secretName}`)).toHaveLength(3);
  });

  it('is kept when another request named it in the meantime', async () => {
    const { api, context } = start();
    const failing = fails(api, context, async () => void (await replaceCertificate(context, sent(first))));
    await refused(
      replaceCertificate(
        { ...failing, dependencies: { ...failing.dependencies, writes: createInMemoryApi().dependencies.writes } },
        sent(first),
      ),
    );
    const { secretName = '' } = (await namedBy(api)) ?? {};
    expect(await secretOf(api, secretName)).toBeDefined();
  });
});

describe('while the operator does not know of the one before', () => {
  /** Waits for nothing, and does what comes after all the same, as a server that stops. */
  const hasty = (context: RequestContext): RequestContext => {
    const gone = AbortSignal.abort();
    return { ...context, signal: gone, dependencies: { ...context.dependencies, stopping: gone } };
  };
  it.each<[string, (context: RequestContext) => Promise<unknown>]>([
    ['another one is refused', (context) => replaceCertificate(context, sent(second))],
    ['it is not deleted', (context) => removeCertificate(context, www)],
  ])('%s, and tried again it is done', async (_, act) => {
    const { api, context } = start();
    await replaceCertificate(context, sent(first));
    const { length } = api.cluster.written;
    const problem = await refused(act(hasty(context)));
    expect([problem?.code, api.cluster.written.length]).toEqual(['conflict', length]);
    await takeOver(api);
    expect(await refused(act(context))).toBeNull();
  });

  it('another one waits for that', async () => {
    const { api, context } = start();
    await replaceCertificate(context, sent(first));
    const waiting = replaceCertificate(context, sent(second));
    await takeOver(api);
    await waiting;
    expect((await namedBy(api))?.secretName).not.toBe(
      (await domainOf(api))?.status?.certificate?.ownSecrets?.[0]?.name,
    );
  });

  it.each<[string, (api: InMemoryApi) => Promise<void>]>([
    [
      'which it has found missing',
      async (api) => {
        const domain = await domainOf(api);
        const { generation = 0 } = domain?.metadata ?? {};
        const condition = {
          type: 'CertificateIssued',
          status: 'False',
          reason: 'OwnCertificateMissing',
          message: '',
          observedGeneration: generation,
        };
        api.put({ ...domain, metadata: { ...domain?.metadata, generation }, status: { conditions: [condition] } });
      },
    ],
    [
      'which nobody sent',
      async (api) => {
        const domain = await domainOf(api);
        const forged = { ...domain?.spec.certificate, notAfter: '2099-01-01T00:00:00Z' };
        api.put({ ...domain, spec: { ...domain?.spec, certificate: forged } });
      },
    ],
  ])('%s, another one is taken', async (_, change) => {
    const { api, context } = start();
    await replaceCertificate(context, sent(first));
    await change(api);
    await replaceCertificate(context, sent(second));
    expect((await namedBy(api))?.chain).not.toEqual([]);
  });
});

it('no more than four Secrets of a domain are made, however many certificates are sent', async () => {
  const { api, context } = start();
  const made = Array.from({ length: 5 }, () => maker.make({ by: intermediate }));
  const codes: (string | undefined)[] = [];
  for (const one of made) {
    codes.push((await refused(replaceCertificate(context, sent(one))))?.code);
    if (codes.at(-1) === undefined) await takeOver(api);
  }
  expect(codes).toEqual([undefined, undefined, undefined, undefined, 'conflict']);
});

describe('going back to automatic certificates', () => {
  it('takes the certificate out of the domain and leaves the Secret to the operator', async () => {
    const { api, context } = start();
    await replaceCertificate(context, sent(first));
    const { secretName = '' } = (await namedBy(api)) ?? {};
    await takeOver(api);
    await removeCertificate(context, www);
    expect([await namedBy(api), (await domainOf(api))?.spec.hostname]).toEqual([undefined, www.hostname]);
    expect(await secretOf(api, secretName)).toBeDefined();
    expect(await refused(showCertificate(context, www))).toMatchObject({ code: 'not-found' });
  });

  it('from them is not found', async () => {
    const { context } = start();
    expect(await refused(removeCertificate(context, www))).toMatchObject({ code: 'not-found' });
  });
});
