import { describe, expect, it } from '@jest/globals';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { isProbeDue } from '../../../src/controllers/project-domain/check-due.ts';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import { gatherOwnCertificates } from '../../../src/controllers/project-domain/own-certificate/gather-own-certificates.ts';
import type { ProjectDomainSnapshot } from '../../../src/controllers/project-domain/project-domain-snapshot.ts';
import { expectedCertificate, isOwnSecretThere } from '../../../src/controllers/project-domain/served-certificate.ts';
import { createCluster } from '../../../src/kubernetes/cluster-client.ts';
import { kubernetesError } from '../../../src/kubernetes/kubernetes-errors.ts';
import type { Call, Transport } from '../../../src/kubernetes/transport.ts';
import { timestamp } from '../../../src/rules/conditions.ts';
import { childName } from '../../../src/rules/dns-target.ts';
import type { OwnCertificate } from '../../../src/rules/own-certificate.ts';
import { ownSecretName } from '../../../src/rules/own-certificate.ts';
import {
  certificateIn,
  claim,
  domain,
  heldBy,
  ingress,
  now,
  routeOf,
  routes,
  settings,
  snapshot,
  verdict,
} from '../../support/snapshot.ts';

/**
 * A domain with a certificate of the customer's own: what its route names, what is ordered, what is deleted and when, and what it says of itself.
 * Fails when a certificate would be served that nobody sent for this hostname, or one of another account's; when something is ordered without need,
 * deleted while it may still be served, or kept for ever.
 */

const hostname = 'www.example.com';
const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const holder = { accountId: 'acc-acme', hostname };

/** A certificate as the API server names it. */
function own(changes: Partial<Omit<OwnCertificate, 'secretName'>> = {}): OwnCertificate {
  const facts = {
    chain: ['a'.repeat(64)],
    names: [hostname],
    issuer: 'CN=ca',
    notBefore: timestamp(now - 10 * day),
    notAfter: timestamp(now + 80 * day),
    ...changes,
  };
  return { ...facts, secretName: ownSecretName(settings.records, holder, facts) };
}

const first = own();
const next = own({ chain: ['b'.repeat(64)] });
const automatic = childName(hostname);

type CertificateStatus = NonNullable<NonNullable<ProjectDomain['status']>['certificate']>;
type Optional<T> = { readonly [Field in keyof T]?: T[Field] | undefined };
const known = ({ secretName: name, names, notAfter }: OwnCertificate) => ({ name, names, notAfter });
const servedBy = (secretName: string, agoMs = hour) => ({ secretName, since: timestamp(now - agoMs) });

interface Given {
  readonly spec?: OwnCertificate | undefined;
  readonly status?: Optional<CertificateStatus>;
  /** the Secret that the route names; null without a route */
  readonly routed?: string | null;
  /** CertificateIssued, as it was before */
  readonly issued?: string;
  readonly claims?: Readonly<Record<string, Partial<HostnameClaim['spec']>>>;
  readonly changes?: Partial<ProjectDomainSnapshot>;
}

const condition = (type: string, reason: string) => ({
  type,
  status: 'True' as const,
  reason,
  message: '',
  lastTransitionTime: timestamp(now - hour),
});

/** A Live domain, with what is given. */
function live({
  spec,
  status = {},
  routed = automatic,
  issued = 'Issued',
  claims = {},
  changes = {},
}: Given): ProjectDomainSnapshot {
  const subject = domain({
    spec: spec ? { certificate: spec } : {},
    status: {
      state: 'Live',
      certificate: { name: automatic, ...(status as CertificateStatus) },
      conditions: [
        condition('DNSVerified', 'Verified'),
        condition('CertificateIssued', issued),
        condition('Routed', 'Routed'),
      ],
    },
  });
  const route =
    routed === null
      ? undefined
      : routeOf({ ...ingress, spec: { ...ingress.spec, tls: [{ secretName: routed }] } } as never);
  const seen = (name: string): HostnameClaim | undefined =>
    name in claims ? claim({ account: 'acc-acme', ...claims[name] }) : undefined;
  const sources = { caches: { claims: { get: ({ name }: { name: string }) => seen(name) } as never }, settings };
  return snapshot({
    ...heldBy,
    domain: subject,
    route,
    own: gatherOwnCertificates(sources, { domain: subject, accountId: 'acc-acme', route }),
    verdict: verdict(),
    ...changes,
  });
}

type Written = ReturnType<typeof decideProjectDomain>;

function routedBy({
  writes,
}: Written): { readonly secretName: string | undefined; readonly paths: readonly string[] } | null {
  const write = writes.find(({ verb, kind }) => verb === 'apply' && kind.kind === 'Ingress');
  if (write?.verb !== 'apply') return null;
  const objects = [write.object];
  const { rules } = write.object.spec as { rules: readonly { http: { paths: readonly { path: string }[] } }[] };
  return { secretName: routes.secretOf(objects), paths: rules[0]?.http.paths.map(({ path }) => path) ?? [] };
}

const removed = ({ writes }: Written): readonly string[] =>
  writes.flatMap((write) => (write.verb === 'remove' ? [`${write.kind.kind} ${write.key.name}`] : []));
const ordersAny = ({ writes }: Written): boolean =>
  writes.some(({ verb, kind }) => verb === 'apply' && kind.kind === 'Certificate');

function statusOf({ writes }: Written): NonNullable<ProjectDomain['status']> {
  const write = writes.find(({ verb }) => verb === 'applyStatus');
  if (write?.verb !== 'applyStatus') throw new Error('no status was written');
  return write.object.status as NonNullable<ProjectDomain['status']>;
}
const issuedOf = (written: Written) => {
  const found = statusOf(written).conditions?.find(({ type }) => type === 'CertificateIssued');
  return [found?.status, found?.reason];
};

const ready = { certificate: certificateIn(true) };
const there = { ownSecretIsThere: true };

describe('a certificate that was sent', () => {
  it('is known first, and named by the route two seconds later', () => {
    const seen = decideProjectDomain(live({ spec: first, changes: { ...ready, ...there } }));
    expect(routedBy(seen)?.secretName).toBe(automatic);
    expect(statusOf(seen).certificate?.ownSecrets).toEqual([known(first)]);
    expect([seen.requeueAt, statusOf(seen).state]).toEqual([now + 2 * second, 'Live']);
    const followed = live({ spec: first, status: { ownSecrets: [known(first)] }, changes: { ...ready, ...there } });
    expect(routedBy(decideProjectDomain(followed))?.secretName).toBe(first.secretName);
  });

  const takenOver = { ownSecrets: [known(first)] };
  it('whose Secret is deleted is no longer named as soon as an automatic one is there', () => {
    const given = { spec: first, status: takenOver, routed: first.secretName, issued: 'OwnCertificate' };
    const lost = decideProjectDomain(live({ ...given, changes: { ownSecretIsThere: false } }));
    expect([routedBy(lost)?.secretName, ordersAny(lost), issuedOf(lost)[1]]).toEqual([
      first.secretName,
      true,
      'OwnCertificateMissing',
    ]);
    const issued = decideProjectDomain(live({ ...given, changes: { ...ready, ownSecretIsThere: false } }));
    expect(routedBy(issued)?.secretName).toBe(automatic);
  });

  it.each<[string, Given, secretName: string, orders: boolean, reason: string]>([
    [
      'is served, and nothing is ordered',
      { spec: first, status: takenOver, routed: first.secretName },
      first.secretName,
      false,
      'OwnCertificate',
    ],
    [
      'is served without cert-manager',
      { spec: first, status: takenOver, routed: first.secretName, changes: { certManagerUnavailable: true } },
      first.secretName,
      false,
      'OwnCertificate',
    ],
    [
      'is not named while its Secret is not there',
      { spec: first, changes: { ...ready, ownSecretIsThere: false } },
      automatic,
      true,
      'OwnCertificateMissing',
    ],
    [
      'is not named while that is unknown',
      { spec: first, status: takenOver, changes: { ...ready, ownSecretIsThere: null } },
      automatic,
      false,
      'Issued',
    ],
    [
      'of another account is not served',
      {
        spec: { ...first, secretName: ownSecretName(settings.records, { ...holder, accountId: 'acc-rival' }, first) },
        changes: { ...ready, ...there },
      },
      automatic,
      true,
      'OwnCertificateMissing',
    ],
    [
      'for another hostname is not served',
      {
        spec: {
          ...first,
          secretName: ownSecretName(settings.records, { ...holder, hostname: 'a.example.com' }, first),
        },
        changes: { ...ready, ...there },
      },
      automatic,
      true,
      'OwnCertificateMissing',
    ],
    [
      'with another end than was sent is not served',
      { spec: { ...first, notAfter: timestamp(now + 900 * day) }, changes: { ...ready, ...there } },
      automatic,
      true,
      'OwnCertificateMissing',
    ],
    [
      'with fewer names than were sent is not served',
      { spec: { ...own({ names: [hostname, 'b.example.com'] }), names: [hostname] }, changes: { ...ready, ...there } },
      automatic,
      true,
      'OwnCertificateMissing',
    ],
    [
      'after another one takes its place in one write',
      { spec: next, status: { ownSecrets: [known(first), known(next)] }, routed: first.secretName, changes: there },
      next.secretName,
      false,
      'OwnCertificate',
    ],
    [
      'after another one waits while its Secret is not known of',
      { spec: next, status: takenOver, routed: first.secretName, issued: 'OwnCertificate', changes: there },
      first.secretName,
      false,
      'OwnCertificate',
    ],
  ])('%s', (_, given, secretName, orders, reason) => {
    const decided = decideProjectDomain(live(given));
    expect(routedBy(decided)?.secretName).toBe(secretName);
    expect([ordersAny(decided), issuedOf(decided)[1]]).toEqual([orders, reason]);
  });

  it('serves a domain that never had another', () => {
    const given = live({ spec: first, status: takenOver, routed: null, changes: there });
    const verified = snapshot({
      ...given,
      domain: { ...given.domain, status: { ...given.domain.status, state: 'Verified', conditions: [] } },
    });
    expect(routedBy(decideProjectDomain(verified))).toEqual({ secretName: first.secretName, paths: ['/'] });
  });

  it.each<[string, Partial<ProjectDomainSnapshot>]>([
    ['before the hostname is held', { claim: undefined, claimRelation: { kind: 'Free', epoch: 1 } }],
    ['while another account holds it', { claimRelation: { kind: 'Foreign', phase: 'Held', epoch: 2 } }],
    [
      'while the plan has no custom domains',
      { limits: { ...(snapshot().limits as object), customDomains: { enabled: false, maxPerProject: 0 } } as never },
    ],
  ])('is not served %s', (_, changes) => {
    const given = live({ spec: first, status: takenOver, routed: null, changes: { ...there, ...changes } });
    expect(routedBy(decideProjectDomain(given))).toBeNull();
  });
});

describe("the path of ACME's challenges", () => {
  const ours = { settings: { ...settings, issuer: { kind: 'AcmeIssuer', name: 'ca' } } } as const;
  const given = { spec: first, status: { ownSecrets: [known(first)] }, routed: first.secretName };
  it.each<[string, Given, boolean]>([
    ["is the customer's with a certificate of its own", { ...given, changes: ours }, false],
    ["is the redirector's until the Certificate before it is gone", { ...given, changes: { ...ours, ...ready } }, true],
    ["is the redirector's again on the way back", { ...given, spec: undefined, changes: ours }, true],
  ])('%s', (_, of, answered) => {
    expect(routedBy(decideProjectDomain(live(of)))?.paths.includes('/.well-known/acme-challenge/')).toBe(answered);
  });
});

describe('what was served before', () => {
  const both = { ownSecrets: [known(first), known(next)] };
  const replaced = { spec: next, routed: next.secretName, issued: 'OwnCertificate' };
  const answered = { probe: { ok: true } } as const;
  it.each<[string, Given, removals: readonly string[]]>([
    [
      'is kept while the ingress does not answer with what follows',
      { ...replaced, status: { ...both, served: servedBy(first.secretName) } },
      [],
    ],
    [
      'is kept for a minute after it does',
      { ...replaced, status: { ...both, served: servedBy(next.secretName, minute - second) } },
      [],
    ],
    [
      'is deleted then',
      { ...replaced, status: { ...both, served: servedBy(next.secretName, minute) } },
      [`Secret ${first.secretName}`],
    ],
    [
      'is the Certificate, and is deleted in the same way',
      {
        spec: first,
        routed: first.secretName,
        status: { ownSecrets: [known(first)], served: servedBy(first.secretName, minute) },
        changes: ready,
      },
      [`Certificate ${automatic}`],
    ],
    [
      'of that nothing is deleted before',
      {
        spec: first,
        routed: first.secretName,
        status: { ownSecrets: [known(first)] },
        changes: { ...ready, ...answered },
      },
      [],
    ],
    [
      'is its own, and goes after the way back',
      {
        routed: automatic,
        status: { ownSecrets: [known(first)], served: servedBy(automatic, minute) },
        changes: ready,
      },
      [`Secret ${first.secretName}`],
    ],
    [
      'and was never used goes at once without a route',
      { spec: next, routed: null, status: both, changes: there },
      [`Secret ${first.secretName}`],
    ],
  ])('%s', (_, given, removals) => {
    const decided = decideProjectDomain(live(given));
    expect(removed(decided)).toEqual(removals);
    const left = statusOf(decided).certificate?.ownSecrets?.map(({ name }) => `Secret ${name}`) ?? [];
    expect(left.filter((name) => removals.includes(name))).toEqual([]);
  });

  it('is looked at again when its minute is over', () => {
    const decided = decideProjectDomain(
      live({ ...replaced, status: { ...both, served: servedBy(next.secretName, 10 * second) } }),
    );
    expect(decided.requeueAt).toBe(now + 50 * second);
  });

  it('is asked of the ingress by fingerprint once the route names another Secret, and no more once it was seen', () => {
    const switching = live({ ...replaced, status: { ...both, served: servedBy(first.secretName) } });
    expect([isProbeDue(switching), expectedCertificate(switching)?.fingerprint]).toEqual([true, 'b'.repeat(64)]);
    const seen = statusOf(decideProjectDomain({ ...switching, ...answered })).certificate?.served;
    expect(seen).toEqual({ secretName: next.secretName, since: timestamp(now) });
    expect(isProbeDue(live({ ...replaced, status: { ...both, served: seen } }))).toBe(false);
  });

  it('counts as replaced although the project answers with an error: the certificate was right', () => {
    const switching = live({ ...replaced, status: { ...both, served: servedBy(first.secretName) } });
    const probe = { ok: false, code: 'NoAnswer', detail: 'answered with status 503' } as const;
    expect(statusOf(decideProjectDomain({ ...switching, probe })).certificate?.served?.secretName).toBe(
      next.secretName,
    );
  });

  it('leaves no trace in the status once all of it is gone', () => {
    const decided = decideProjectDomain(
      live({
        routed: automatic,
        status: { ownSecrets: [known(first)], served: servedBy(automatic, minute) },
        changes: ready,
      }),
    );
    expect(Object.keys(statusOf(decided).certificate ?? {})).not.toEqual(expect.arrayContaining(['ownSecrets']));
    expect(statusOf(decided).certificate?.served).toBeUndefined();
  });
});

describe('on the way back to automatic certificates', () => {
  const back = {
    routed: first.secretName,
    status: { ownSecrets: [known(first)], served: servedBy(first.secretName) },
    issued: 'OwnCertificate',
  };
  it.each<[string, Given, secretName: string, state: string]>([
    ['its own is served while one is being issued, and nothing is wrong', back, first.secretName, 'Live'],
    [
      'its own is served while cert-manager is away',
      { ...back, changes: { certManagerUnavailable: true } },
      first.secretName,
      'Live',
    ],
    ['the route names it as soon as it is issued', { ...back, changes: ready }, automatic, 'Live'],
  ])('%s', (_, given, secretName, state) => {
    const decided = decideProjectDomain(live(given));
    expect([routedBy(decided)?.secretName, statusOf(decided).state]).toEqual([secretName, state]);
  });

  it('one is ordered', () => {
    expect(ordersAny(decideProjectDomain(live(back)))).toBe(true);
  });
});

describe('a name that another account holds by now', () => {
  const shared = own({ names: [hostname, 'shop.example.com'] });
  const given = {
    spec: shared,
    routed: shared.secretName,
    status: { ownSecrets: [known(shared)], served: servedBy(shared.secretName) },
    issued: 'OwnCertificate',
  };
  const heldElsewhere = (agoMs: number) => ({
    'shop.example.com': { account: 'acc-rival', proof: { method: 'TXT', at: timestamp(now - agoMs) } } as const,
  });
  it.each<[string, Given, secretName: string, orders: boolean, reason: string]>([
    [
      'has one ordered in its place, which its own waits for',
      { ...given, claims: heldElsewhere(minute) },
      shared.secretName,
      true,
      'OwnCertificateNotHeld',
    ],
    [
      'ends its own as soon as that is there',
      { ...given, claims: heldElsewhere(minute), changes: ready },
      automatic,
      true,
      'OwnCertificateNotHeld',
    ],
    [
      'ends its own after an hour, whatever there is',
      { ...given, claims: heldElsewhere(hour) },
      automatic,
      true,
      'OwnCertificateNotHeld',
    ],
    [
      'ends one that the spec no longer names',
      { ...given, spec: undefined, claims: heldElsewhere(hour) },
      automatic,
      true,
      'Issuing',
    ],
    [
      'ends one that the spec hides by a lie',
      { ...given, spec: { ...shared, names: [hostname] }, claims: heldElsewhere(hour) },
      automatic,
      true,
      'OwnCertificateMissing',
    ],
    [
      'ends nothing while it is only given up',
      { ...given, claims: { 'shop.example.com': { account: 'acc-acme', phase: 'Tombstone' } } },
      shared.secretName,
      false,
      'OwnCertificate',
    ],
    ['ends nothing while nobody holds it', given, shared.secretName, false, 'OwnCertificate'],
    [
      "ends nothing while it is the account's, whichever object has it",
      { ...given, claims: { 'shop.example.com': { holder: { namespace: 'acme', name: 'other' } } } },
      shared.secretName,
      false,
      'OwnCertificate',
    ],
  ])('%s', (_, of, secretName, orders, reason) => {
    const decided = decideProjectDomain(live(of));
    expect([routedBy(decided)?.secretName, ordersAny(decided), issuedOf(decided)[1]]).toEqual([
      secretName,
      orders,
      reason,
    ]);
  });

  it('ends one that is not known of at once', () => {
    expect(routedBy(decideProjectDomain(live({ routed: 'pd-own-unknown' })))?.secretName).toBe(automatic);
  });

  it('is looked at again when the hour is over', () => {
    expect(decideProjectDomain(live({ ...given, claims: heldElsewhere(hour - 10 * second) })).requeueAt).toBe(
      now + 10 * second,
    );
  });
});

describe('its end', () => {
  const ending = (agoDays: number, inMs: number) =>
    own({ notBefore: timestamp(now - agoDays * day), notAfter: timestamp(now + inMs) });
  const served = (certificate: OwnCertificate, changes: Partial<ProjectDomainSnapshot> = {}) =>
    live({
      spec: certificate,
      routed: certificate.secretName,
      status: { ownSecrets: [known(certificate)], served: servedBy(certificate.secretName) },
      issued: 'OwnCertificate',
      changes,
    });

  it.each<[string, OwnCertificate, readonly [string, string], state: string]>([
    ['is far with a quarter of 90 days left', ending(68, 22 * day), ['True', 'OwnCertificate'], 'Live'],
    ['is near with less than a fifth left', ending(73, 17 * day), ['True', 'OwnCertificateEnding'], 'Live'],
    ['is far with 31 days of a year left', ending(334, 31 * day), ['True', 'OwnCertificate'], 'Live'],
    ['is near with 29 days of a year left', ending(336, 29 * day), ['True', 'OwnCertificateEnding'], 'Live'],
    ['leaves it served, and the domain Degraded', ending(90, 0), ['False', 'OwnCertificateEnded'], 'Degraded'],
  ])('%s', (_, certificate, issued, state) => {
    const decided = decideProjectDomain(served(certificate));
    expect([issuedOf(decided), statusOf(decided).state]).toEqual([issued, state]);
    expect([routedBy(decided)?.secretName, ordersAny(decided)]).toEqual([certificate.secretName, false]);
  });

  it('is told of by what the next certificate waits for', () => {
    expect(statusOf(decideProjectDomain(served(ending(336, 29 * day)))).certificate?.waitsFor).toBe(
      'OwnCertificateEnding',
    );
  });

  it.each<[string, OwnCertificate, number]>([
    ['when it begins to be near', ending(60, 30 * day), now + 12 * day],
    ['when it comes', ending(73, 17 * day), now + 17 * day],
  ])('is looked at %s', (_, certificate, at) => {
    // A Live domain is visited every two hours in any case; what ends that is in its recent check.
    expect(decideProjectDomain(served(certificate)).requeueAt).toBeLessThanOrEqual(at);
  });

  it('stands in the timeline, each phase once', () => {
    const told = (of: ProjectDomainSnapshot) => statusOf(decideProjectDomain(of)).timeline ?? [];
    const entries = [ending(10, 80 * day), ending(73, 17 * day), ending(90, 0)].map((certificate) => {
      const of = served(certificate);
      const [entry, ...others] = told(of).filter(({ kind }) => kind === 'Certificate');
      const again = { ...of, domain: { ...of.domain, status: { ...of.domain.status, timeline: told(of) } } };
      expect([others, told(again)]).toEqual([[], told(of)]);
      return entry;
    });
    expect(entries.map((entry) => entry?.reason)).toEqual(['Own', 'OwnEnding', 'OwnEnded']);
    expect(entries[0]?.params).toEqual({ notAfter: timestamp(now + 80 * day), fingerprint: 'a'.repeat(64) });
  });

  it('shows as when the certificate that is served ends', () => {
    expect(statusOf(decideProjectDomain(served(ending(10, 80 * day)))).certificate?.notAfter).toBe(
      timestamp(now + 80 * day),
    );
  });

  it('of one that was never served has one ordered in its place', () => {
    const over = ending(90, 0);
    const decided = decideProjectDomain(
      live({ spec: over, status: { ownSecrets: [known(over)] }, changes: { ...ready, ...there } }),
    );
    expect([routedBy(decided)?.secretName, ordersAny(decided), issuedOf(decided)[1]]).toEqual([
      automatic,
      true,
      'OwnCertificateEnded',
    ]);
  });
});

it('a domain that never had one of its own says nothing of it', () => {
  const decided = decideProjectDomain(live({ changes: ready }));
  expect(Object.keys(statusOf(decided).certificate ?? {}).toSorted()).toEqual(['attempts', 'name', 'notAfter']);
  expect(removed(decided)).toEqual([]);
  expect(live({}).own).toBeNull();
});

describe('whether its Secret is there', () => {
  const refused = (status: number, reason: string) => () => {
    throw kubernetesError(status, JSON.stringify({ reason }), undefined);
  };
  const ask = async (answer: () => unknown) => {
    const calls: Call[] = [];
    const transport = {
      async call<T>(call: Call) {
        calls.push(call);
        return Promise.resolve(answer() as T);
      },
    } as unknown as Transport;
    const wanted = { wanted: first, isForged: false, lost: null, routed: null, routedUntil: null };
    const given = { own: wanted, domain: domain() };
    const isThere = isOwnSecretThere({ cluster: createCluster(transport, 'tester') }, given);
    return { isThere: await isThere, calls: calls.map(({ method, path }) => `${method} ${path}`) };
  };

  it('is asked by a creation that makes nothing', async () => {
    expect(await ask(() => ({ metadata: { name: first.secretName } }))).toEqual({
      isThere: false,
      calls: ['POST /api/v1/namespaces/acme/secrets?fieldManager=tester&dryRun=All'],
    });
  });

  it('is true where the kube-apiserver says so, and not known where it says something else', async () => {
    expect(await ask(refused(409, 'AlreadyExists'))).toMatchObject({ isThere: true });
    expect(await ask(refused(403, 'Forbidden'))).toMatchObject({ isThere: null });
    await expect(ask(refused(409, 'Conflict'))).rejects.toMatchObject({ reason: 'Conflict' });
  });
});
