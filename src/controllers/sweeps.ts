import type { ObjectKey } from '../kubernetes/kubernetes-port.ts';
import { namespacesOf } from './account-lookup.ts';
import { indexKey, objectKeyOf, queueKey } from '../kubernetes/object-keys.ts';
import { noNamespace } from './redirector-endpoints/redirector-endpoints-reconciler.ts';
import type { ReconcileKeys, KeySweep } from './reconcile-requests.ts';
import type { Caches } from './needs.ts';
import type { RedirectorNamespaces } from './redirector-endpoints/decide-redirector-endpoints.ts';
import { createHash } from 'node:crypto';
import { driftTimes, hours } from '../rules/check-schedule.ts';
import { shareOf } from '../rules/next-dns-check.ts';

/** Whom a change of something many belong to concerns. The caches are read when the sweep gets there. */
export function sweepsOf(caches: Caches) {
  function* each(controller: keyof ReconcileKeys, keys: readonly ObjectKey[]): Iterable<ReconcileKeys> {
    for (const key of keys) yield { [controller]: [queueKey(key)] };
  }
  function* inNamespace(namespace: string): Iterable<ReconcileKeys> {
    yield { redirectorEndpoints: [namespace] };
    yield* each('project', caches.projects.keysByIndex('namespace', namespace));
    yield* each('projectDomain', caches.domains.keysByIndex('namespace', namespace));
  }
  function* inAccount(account: string): Iterable<ReconcileKeys> {
    yield* each('apiKey', caches.apiKeys.keysByIndex('account', account));
    for (const namespace of namespacesOf(caches, account)) yield* inNamespace(namespace);
  }
  function* onPlan(plan: string): Iterable<ReconcileKeys> {
    for (const { name } of caches.accounts.keysByIndex('plan', plan)) {
      yield { account: [name] };
      for (const namespace of namespacesOf(caches, name)) yield* inNamespace(namespace);
    }
  }
  const sweep = (name: string, pieces: () => Iterable<ReconcileKeys>): KeySweep => ({ name, pieces });
  return {
    ofPlan: (plan: string) => sweep(`plan ${plan}`, () => onPlan(plan)),
    ofAccount: (account: string) => sweep(`account ${account}`, () => inAccount(account)),
    /** Also claims that were held there: a namespace that comes back may bring their TLS Secrets along. */
    ofNamespace: (namespace: string) =>
      sweep(`namespace ${namespace}`, function* () {
        yield* inNamespace(namespace);
        yield* each('hostnameClaim', caches.claims.keysByIndex('formerHolder', namespace));
      }),
    domainsOfProject: (project: string) =>
      sweep(`project ${project}`, () => each('projectDomain', caches.domains.keysByIndex('project', project))),
    /** What is, or asks to be, the project's primary. */
    primariesOfProject: (project: string) =>
      sweep(`primaries ${project}`, () => each('projectDomain', caches.domains.keysByIndex('primaries', project))),
    /** Everybody with this hostname: objects of any account, projects whose configuration declares it, and certificates that name it. */
    ofHostname: (hostname: string) =>
      sweep(`hostname ${hostname}`, function* () {
        yield* each('project', caches.projects.keysByIndex('declares', hostname));
        yield* each('projectDomain', caches.domains.keysByIndex('hostname', hostname));
        yield* each('projectDomain', caches.domains.keysByIndex('certifies', hostname));
      }),
    /** Projects that ask for a subdomain by name, of any account. */
    askingFor: (subdomain: string) =>
      sweep(`subdomain ${subdomain}`, () => each('project', caches.projects.keysByIndex('asksFor', subdomain))),
    /** Redirects that wait until their destination's route leads to the project. */
    redirectsTo: (namespace: string, hostname: string) =>
      sweep(`redirects ${namespace}/${hostname}`, () =>
        each('projectDomain', caches.domains.keysByIndex('leadsTo', indexKey(namespace, hostname))),
      ),
    /** Holders of hostnames one label below a base. */
    heldBelow: (base: string) =>
      sweep(`below ${base}`, function* () {
        for (const key of caches.claims.keysByIndex('below', base)) {
          const holder = caches.claims.get(key)?.spec.holder;
          if (holder) yield* each('projectDomain', [holder]);
        }
      }),
    heldBy: (holder: string) =>
      sweep(`claims of ${holder}`, () => each('hostnameClaim', caches.claims.keysByIndex('holder', holder))),
    /** Projects that wait for the first ready endpoint of their Service. */
    undeployed: ({ namespace, name }: ObjectKey) =>
      sweep(`service ${namespace}/${name}`, () =>
        each(
          'project',
          caches.projects
            .byIndex('service', indexKey(namespace, name))
            .filter(({ status }) => !status?.deployedAt)
            .map(objectKeyOf),
        ),
      ),
    /** Every namespace that leads to the redirector. A Pod that ends waits for it, and the next one's end follows within seconds. */
    redirecting: ({ all }: RedirectorNamespaces): KeySweep => ({
      name: 'redirector',
      isUrgent: true,
      *pieces() {
        yield { redirectorEndpoints: [noNamespace] };
        for (const namespace of all()) yield { redirectorEndpoints: [namespace] };
      },
    }),
  };
}

/** Keys to reconcile once, after so many milliseconds. */
export interface LaterVisit {
  readonly keys: ReconcileKeys;
  readonly afterMs: number;
}

/** A visit of everything at once, as anything may have changed while nobody led; unpacks nothing. */
export function* everything(caches: Caches): Iterable<ReconcileKeys> {
  for (const key of caches.accounts.keys()) yield { account: [queueKey(key)] };
  for (const key of caches.projects.keys()) yield { project: [queueKey(key)] };
  for (const key of caches.domains.keys()) yield { projectDomain: [queueKey(key)] };
  for (const key of caches.claims.keys()) yield { hostnameClaim: [queueKey(key)] };
}

/** An authority is asked about each certificate within this time; a process that ended had asked about most of them not long ago. */
const suggestionsWithin = 6 * hours;

/** Hostnames whose certificates their authority may wish to be renewed, each at its own moment: `now` tells the time, as there may be very many. */
export function* renewalVisits({ claims }: Pick<Caches, 'claims'>, now: () => number): Iterable<LaterVisit> {
  const startedAt = now();
  for (const { name } of claims.keysByIndex('renewable', '')) {
    const moment = driftTimes(shareOfKey(name), startedAt, suggestionsWithin).next;
    yield { keys: { acmeOrder: [name] }, afterMs: Math.max(1, moment - now()) };
  }
}

/** Like that of a uid: in the same place after each start, and as likely in any. */
const shareOfKey = (key: string): number => shareOf(createHash('sha256').update(key).digest('hex'));
