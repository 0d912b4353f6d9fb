import { removeAction } from '../../controller-runtime/actions.ts';
import type { Project } from '../../generated/project.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import type { Finding } from '../../rules/conditions.ts';
import type { DeclaredReason } from '../../rules/reasons.ts';
import { no, yes } from '../../rules/conditions.ts';
import { declaredDomains, isControlled, isDeclaredBy } from '../../rules/declared-domains.ts';
import { childLabels, hasChildLabel, ownerReference } from '../../resources/object-metadata.ts';
import { ProjectDomainKind } from '../../resources/kinds.ts';
import type { DomainHead } from '../../rules/domain-head.ts';
import type { WriteAction } from '../../controller-runtime/actions.ts';
import { indexKey } from '../../kubernetes/object-keys.ts';
import type { ProjectSnapshot } from './project-snapshot.ts';

export interface DeclaredDomainsStep {
  readonly finding: Finding<DeclaredReason>;
  readonly writes: readonly WriteAction[];
}

/**
 * Turns each entry of spec.domains into a ProjectDomain named by its hostname and controlled by the project, and deletes
 * those no longer declared. A stand-alone ProjectDomain wins over an entry, and is adopted where the configuration says so: it keeps its name, claim and certificate. While the account is
 * full, only existing ones are applied. Deletions come first: a reconcile ends after a number of refused writes, which the declared hostnames choose,
 * and what is not declared any more must not be served on for that.
 */
export function decideDeclaredDomains(snapshot: ProjectSnapshot): DeclaredDomainsStep {
  const { project, domains, isAccountFull } = snapshot;
  const wanted = declaredDomains(project.metadata.name, project.spec.domains);
  const hostnames = new Set(wanted.map(({ hostname }) => hostname));
  const elsewhere = standAlone(snapshot, hostnames);
  const entries = wanted.filter(({ hostname }) => !elsewhere.has(hostname));
  const superfluous = domains.filter((domain) => isDeclaredBy(domain, project) && !hostnames.has(domain.spec.hostname));
  const names = namesOf(snapshot, entries);
  const existing = new Set(isAccountFull ? domains.map(({ spec }) => spec.hostname) : hostnames);
  const missing = entries.filter(({ hostname }) => !existing.has(hostname));
  const kept = entries.filter(({ hostname }) => existing.has(hostname));
  return {
    finding: missing.length > 0 ? capReached(missing) : finding([...elsewhere.values()]),
    writes: [...superfluous.map(removal), ...kept.map((spec) => child(snapshot, spec, names.get(spec.hostname)))],
  };
}

const noneAdopted: ReadonlyMap<string, DomainHead> = new Map();

const isOwn = (domain: DomainHead, project: Project): boolean =>
  isDeclaredBy(domain, project) || isLost(domain, project);

/** Names of the objects that stand for entries already; a new one is named after its hostname. */
function namesOf(
  { project, sameHostname, adopted = noneAdopted }: ProjectSnapshot,
  entries: readonly ProjectDomain['spec'][],
): ReadonlyMap<string, string> {
  const own = sameHostname.filter((domain) => isOwn(domain, project));
  const wanted = new Set(entries.map(({ hostname }) => hostname));
  const named = [
    ...[...adopted].filter(([hostname]) => wanted.has(hostname)),
    ...own.map((one) => [one.spec.hostname, one] as const),
  ];
  return new Map(named.map(([hostname, { metadata }]) => [hostname, metadata.name]));
}

/** Stand-alone ProjectDomains in the same account, by hostname; without hostnames for which the project has its own. */
function standAlone(
  { project, sameHostname, adopted = noneAdopted }: ProjectSnapshot,
  hostnames: Iterable<string>,
): ReadonlyMap<string, DomainHead> {
  const found = Map.groupBy(sameHostname, ({ spec }) => spec.hostname);
  const elsewhere = new Map<string, DomainHead>();
  for (const hostname of hostnames) {
    const same = found.get(hostname) ?? [];
    const own = same.some((domain) => isOwn(domain, project));
    if (same[0] && !own && !adopted.has(hostname)) elsewhere.set(hostname, same[0]);
  }
  return elsewhere;
}

/**
 * True for a child of ours that was restored from a backup without its owner reference: its name and labels still tell
 * whose it is. It is adopted again; otherwise it would pass for a stand-alone one and never follow spec.domains again.
 */
function isLost(domain: DomainHead, project: Project): boolean {
  const { metadata, spec } = domain;
  const here = metadata.namespace === project.metadata.namespace && spec.project === project.metadata.name;
  return hasChildLabel(metadata) && here && !isControlled(domain) && metadata.name === spec.hostname;
}

const namedAtMost = 5;

function capReached(missing: readonly ProjectDomain['spec'][]): Finding<DeclaredReason> {
  const named = missing.slice(0, namedAtMost).map(({ hostname }) => hostname);
  const more = missing.length > namedAtMost ? ` and ${missing.length - namedAtMost} more` : '';
  return no(
    'DomainCapReached',
    `the account has as many domains as its plan allows, so these are not created: ${named.join(', ')}${more}; remove others, or ask for a larger plan`,
  );
}

function finding(elsewhere: readonly DomainHead[]): Finding<DeclaredReason> {
  if (elsewhere.length === 0) return yes('DomainsDeclared', 'every entry of spec.domains is a ProjectDomain');
  const named = elsewhere.map(
    ({ metadata, spec }) => `${spec.hostname} by ${indexKey(metadata.namespace ?? '', metadata.name)}`,
  );
  return no(
    'DeclaredElsewhere',
    `these hostnames already have a ProjectDomain: ${named.join(', ')}; set spec.domains.adopt to make this project's own ones its entries, or remove the entry from spec.domains`,
  );
}

function child(
  { project, formerRedirect }: ProjectSnapshot,
  spec: ProjectDomain['spec'],
  name = spec.hostname,
): WriteAction {
  const { apiVersion, kind } = ProjectDomainKind;
  const metadata = {
    name,
    namespace: project.metadata.namespace ?? '',
    labels: childLabels,
    ownerReferences: [ownerReference(project, true)],
  };
  if (formerRedirect?.metadata.name === name && spec.role === 'Primary') return promotion(formerRedirect, metadata);
  return { verb: 'apply', kind: ProjectDomainKind, object: { apiVersion, kind, metadata, spec } };
}

/** An apply takes away only what the operator alone wrote, and a Primary must not have a redirect. */
function promotion(
  former: ProjectDomain,
  { labels, ownerReferences }: Pick<ProjectDomain['metadata'], 'labels' | 'ownerReferences'>,
): WriteAction {
  const { redirect: _, ...rest } = former.spec;
  const metadata = {
    ...former.metadata,
    labels: { ...former.metadata.labels, ...labels },
    ...(ownerReferences && { ownerReferences }),
  };
  const object = { ...former, metadata, spec: { ...rest, role: 'Primary' as const } };
  return { verb: 'replace', kind: ProjectDomainKind, object };
}

const removal = (domain: DomainHead): WriteAction => removeAction(ProjectDomainKind, domain);
