import { appliedHashAnnotation, hashOf } from '../../src/kubernetes/applied-intent.ts';
import type { RecordValues } from '../../src/rules/dns-target.ts';
import { childName } from '../../src/rules/dns-target.ts';
import { platformDomain } from '../../dev/platform/ours.ts';
import { signingRequest } from '../support/signing-request.ts';
import { days, minutes, seriesTimes } from '../../src/rules/check-schedule.ts';
import type { EtcdEntry } from './etcd-data.ts';
import type { ClusterSize, DomainKind } from './made-names.ts';
import {
  accountName,
  accountOf,
  domainKinds,
  domainsOf,
  hostnameOf,
  kindOf,
  primaryOf,
  projectOf,
  registeredDomain,
  uuidOf,
} from './made-names.ts';
import { ownedIntent } from './owned-intent.ts';
import type { TextTemplate } from './text-template.ts';
import { textTemplate } from './text-template.ts';

/**
 * Very many accounts and domains, copied from one account that the operator brought to its final state: names, uids, targets and
 * hashes are those that the copies would have, so that an operator that starts on them finds nothing to write.
 */

export const templateAccount = accountName('tmpl');
const templateNumbers = { live: 'tmpl-a', redirect: 'tmpl-b', unverified: 'tmpl-c' } as const;
export const templateProject = (kind: DomainKind): string =>
  projectOf(templateNumbers[kind === 'redirect' ? 'live' : kind]);
export const templateHostname = (kind: DomainKind): string => hostnameOf(templateNumbers[kind]);

/** What an object belongs to: the account itself, its redirects together, or one of its domains. */
type Part = 'account' | 'redirects' | DomainKind;

interface CopiedEntry {
  readonly part: Part;
  readonly key: TextTemplate;
  readonly value: TextTemplate;
  readonly hasHash: boolean;
}

interface StoredObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly creationTimestamp?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

const platformHostname = (project: string): string => `${project}.${platformDomain}`;
/**
 * `spec.request` of a CertificateRequest for a hostname as long as every made one is: one signing request in which the name is
 * replaced, as nobody looks at its signature here.
 */
export function requestFor(hostname: string): string {
  const known = templateHostname('live');
  const pem = Buffer.from(signingRequest({ names: `DNS:${known}` }), 'base64').toString();
  const der = Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64').toString('latin1');
  const body = Buffer.from(der.replace(known, hostname), 'latin1').toString('base64');
  const lines = body.match(/.{1,64}/g) ?? [];
  const [begin, end] = ['BEGIN', 'END'].map((word) => `-----${word} CERTIFICATE REQUEST-----`);
  return Buffer.from([begin, ...lines, end, ''].join('\n')).toString('base64');
}

const requestWord = 'the-signing-request';
const hashWord = 'the-applied-hash';

export interface MadeObjects {
  /** every object of every account, as etcd holds it */
  entries(): Generator<EtcdEntry>;
  /** the CNAME target of a domain */
  targetOf(domain: number): string;
}

interface TemplateSource {
  /** everything in etcd, all of it stored as JSON */
  readonly stored: readonly EtcdEntry[];
  readonly records: RecordValues;
  readonly size: ClusterSize;
}

const idOf = (account: number): string => uuidOf(`account ${account}`);

/** The targets alone, for a cluster that was made before. */
export const madeTargets = (records: RecordValues, size: ClusterSize): Pick<MadeObjects, 'targetOf'> => ({
  targetOf: (domain) =>
    records.target({ accountId: idOf(accountOf(domain, size)), name: projectOf(primaryOf(domain, size)) }),
});

export function madeObjects({ stored, records, size }: TemplateSource): MadeObjects {
  const { targetOf } = madeTargets(records, size);
  const template = readTemplate(stored, records);
  return {
    targetOf,
    *entries() {
      const kept = size.domains > managedFieldsUpTo ? withoutManagedFields : (entry: EtcdEntry) => entry;
      for (const entry of allEntries()) yield kept(entry);
    },
  };

  function* allEntries(): Generator<EtcdEntry> {
    for (let account = 0; account < size.accounts; account += 1) {
      const domains = domainsOf(account, size);
      const valueOf = wordsOfAccount(template, account);
      const hasRedirect = domains.some((domain) => kindOf(domain, size) === 'redirect');
      yield* rendered(template.copied.account, valueOf).map((entry) => withUsage(entry, domains, size));
      if (hasRedirect) yield* rendered(template.copied.redirects, valueOf);
      for (const domain of domains) yield* domainEntries(template, { ofAccount: valueOf, targetOf }, { domain, size });
    }
  }
}

/**
 * Beyond so many domains objects are made without managedFields, two fifths of their size: with them the kube-apiserver's own
 * caches take more memory than most machines for tests have. Our processes do not keep them.
 */
const managedFieldsUpTo = 50_000;

function withoutManagedFields({ key, value }: EtcdEntry): EtcdEntry {
  const object = JSON.parse(value) as StoredObject;
  return { key, value: JSON.stringify({ ...object, metadata: { ...object.metadata, managedFields: undefined } }) };
}

interface Template {
  readonly copied: Readonly<Record<Part, readonly CopiedEntry[]>>;
  /** what belongs to a uid of the template */
  readonly partOfUid: ReadonlyMap<string, Part>;
  readonly accountId: string;
  readonly targets: Readonly<Record<'live' | 'unverified', string>>;
}

type ValueOf = (word: string) => string;

function wordsOfAccount({ accountId }: Template, account: number): ValueOf {
  const words = new Map([
    [templateAccount, accountName(account)],
    [accountId, idOf(account)],
  ]);
  return (word) => words.get(word) ?? uuidOf(`${word} of account ${account}`);
}

interface Meaning {
  readonly ofAccount: ValueOf;
  readonly targetOf: (domain: number) => string;
}

function domainEntries(
  template: Template,
  { ofAccount, targetOf }: Meaning,
  { domain, size }: { readonly domain: number; readonly size: ClusterSize },
): readonly EtcdEntry[] {
  const kind = kindOf(domain, size);
  const primary = primaryOf(domain, size);
  const words = new Map<string, string>([[requestWord, requestFor(hostnameOf(domain))]]);
  const stand = (of: DomainKind, number: number) => {
    words.set(templateHostname(of), hostnameOf(number));
    words.set(registeredDomain(templateNumbers[of]), registeredDomain(number));
    words.set(childName(templateHostname(of)), childName(hostnameOf(number)));
  };
  stand(kind, domain);
  if (kind === 'redirect') stand('live', primary);
  const project = templateProject(kind);
  words.set(project, projectOf(primary));
  words.set(childName(platformHostname(project)), childName(platformHostname(projectOf(primary))));
  words.set(template.targets[kind === 'unverified' ? kind : 'live'], targetOf(domain));
  const numbers: Readonly<Partial<Record<Part, number>>> = { live: primary, [kind]: domain };
  const valueOf = (word: string) => {
    const owner = numbers[template.partOfUid.get(word) ?? 'account'];
    return owner === undefined ? (words.get(word) ?? ofAccount(word)) : uuidOf(`${word} of domain ${owner}`);
  };
  return rendered(template.copied[kind], valueOf).map((entry) => withDomains(entry, domain, size));
}

/** The hash is that of what is written: it is made from the text without it. */
function rendered(copied: readonly CopiedEntry[], valueOf: ValueOf): readonly EtcdEntry[] {
  return copied.map(({ key, value, hasHash }) => {
    const withHash = (hash: string) => value.render((word) => (word === hashWord ? hash : valueOf(word)));
    const hash = hasHash ? hashOf(ownedIntent(JSON.parse(withHash('')) as StoredObject)) : '';
    return { key: key.render(valueOf), value: withHash(hash) };
  });
}

/** A project lists its domains. */
function withDomains(entry: EtcdEntry, primary: number, size: ClusterSize): EtcdEntry {
  if (!entry.key.includes('/projects/')) return entry;
  const project = JSON.parse(entry.value) as StoredObject;
  const its = domainsOf(accountOf(primary, size), size).filter((domain) => primaryOf(domain, size) === primary);
  const domains = its
    .map((domain) => ({ hostname: hostnameOf(domain), ...shownAs[kindOf(domain, size)] }))
    .toSorted((a, b) => (a.hostname < b.hostname ? -1 : 1));
  return { ...entry, value: JSON.stringify({ ...project, status: { ...project.status, domains } }) };
}

/** What Kubernetes has counted of an account. */
function withUsage(entry: EtcdEntry, domains: readonly number[], size: ClusterSize): EtcdEntry {
  if (!entry.key.includes('/resourcequotas/')) return entry;
  const quota = JSON.parse(entry.value) as StoredObject;
  const projects = domains.filter((domain) => primaryOf(domain, size) === domain).length;
  const used = {
    'count/projects.projectdomain.io': String(projects),
    'count/projectdomains.projectdomain.io': String(domains.length),
  };
  return { ...entry, value: JSON.stringify({ ...quota, status: { ...quota.status, used } }) };
}

const shownAs = {
  live: { role: 'Primary', state: 'Live' },
  redirect: { role: 'Redirect', state: 'Live' },
  unverified: { role: 'Primary', state: 'Unverified' },
} as const satisfies Record<DomainKind, object>;

function readTemplate(stored: readonly EtcdEntry[], records: RecordValues): Template {
  const found = stored.flatMap(({ key, value }) => {
    const part = partOf(key);
    return part === null ? [] : [{ key, part, object: JSON.parse(value) as StoredObject }];
  });
  const accountId = found.find(({ object }) => object.kind === 'Account')?.object.spec?.id as string;
  const targetOf = (kind: DomainKind) => records.target({ accountId, name: templateProject(kind) });
  const targets = { live: targetOf('live'), unverified: targetOf('unverified') };
  const uids = found.flatMap(({ object, part }) => (object.metadata.uid ? [[object.metadata.uid, part] as const] : []));
  const words = [
    ...uids.map(([uid]) => uid),
    ...[templateAccount, accountId, targets.live, targets.unverified, requestWord, hashWord],
    ...domainKinds.flatMap((kind) => [
      templateHostname(kind),
      registeredDomain(templateNumbers[kind]),
      childName(templateHostname(kind)),
      templateProject(kind),
      childName(platformHostname(templateProject(kind))),
    ]),
  ];
  const copy = ({ key, part, object }: (typeof found)[number]): CopiedEntry => {
    const hash = object.metadata.annotations?.[appliedHashAnnotation];
    if (hash !== undefined && hashOf(ownedIntent(object)) !== hash)
      throw new Error(`the hash of ${object.kind} ${object.metadata.name} is not that of what the operator owns of it`);
    const text = JSON.stringify(copyable(object));
    return {
      part,
      key: textTemplate(key, words),
      value: textTemplate(hash === undefined ? text : text.replaceAll(hash, hashWord), words),
      hasHash: hash !== undefined,
    };
  };
  const copied = Object.groupBy(found.map(copy), ({ part }) => part);
  const all = { account: [], redirects: [], live: [], redirect: [], unverified: [], ...copied };
  return { copied: all, partOfUid: new Map(uids), accountId, targets };
}

/** null for what is not copied: another account's, the cluster's, and events. */
function partOf(key: string): Part | null {
  if (/^\/registry\/(events|leases)\//.test(key)) return null;
  const kind = domainKinds.find((one) => namesOf(one).some((name) => key.includes(name)));
  if (kind) return kind;
  if (!key.split('/').includes(templateAccount)) return null;
  return key.includes('/projectdomain-redirect') ? 'redirects' : 'account';
}

/** What the keys of a domain's objects contain, and of its project's. */
function namesOf(kind: DomainKind): readonly string[] {
  const own = [templateHostname(kind), childName(templateHostname(kind))];
  if (kind === 'redirect') return own;
  const project = templateProject(kind);
  return [...own, project, childName(platformHostname(project))];
}

/** An age at which a domain without its record was just checked, and is checked once an hour. */
const checkedJustNow = (seriesTimes(0, 2 * days).last ?? 0) + 2 * minutes;

/** Cluster IPs and signing requests belong to one object each; a domain without its record is looked at every hour, not all the time. */
function copyable(object: StoredObject): StoredObject {
  const { kind, metadata, spec, status } = object;
  if (kind === 'Service') return { ...object, spec: { ...spec, clusterIP: 'None', clusterIPs: ['None'] } };
  if (kind === 'CertificateRequest') return { ...object, spec: { ...spec, request: requestWord } };
  if (kind !== 'ProjectDomain' || status?.state !== 'Unverified') return object;
  const begun = new Date(Date.parse(metadata.creationTimestamp ?? '') - checkedJustNow)
    .toISOString()
    .replace('.000Z', 'Z');
  const check = { ...(status.check as object), startedAt: begun };
  return { ...object, metadata: { ...metadata, creationTimestamp: begun }, status: { ...status, check } };
}
