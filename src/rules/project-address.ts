import { hash } from 'node:crypto';
import type { HostnameClaim } from '../generated/hostname-claim.ts';
import type { Project } from '../generated/project.ts';
import type { RecordValues } from './dns-target.ts';
import { base32 } from './dns-target.ts';
import { isPlatformHolder } from './platform-hostname.ts';
import { namesHolder } from './precedence.ts';
import { isReservedSubdomain, subdomainObjection, subdomainLength } from './subdomain.ts';

/** A project, as far as its address depends on it. */
type Addressed = Pick<Project, 'metadata' | 'spec'> & Partial<Pick<Project, 'status'>>;

/** What decides which hostname below the platform's domain is a project's. */
export interface AddressContext {
  readonly platformDomain: string;
  readonly records: Pick<RecordValues, 'subdomain'>;
  /** id of the project's account; undefined while the Account is not found */
  readonly accountId: string | undefined;
  readonly claimOf: (hostname: string) => HostnameClaim | undefined;
  /** every claim that names the project as its holder */
  readonly claimsOf: (project: Addressed) => readonly HostnameClaim[];
}

/** Two projects whose made labels are the same are rarer than one in a trillion; this many in a row do not occur. */
const attempts = 3;

/**
 * The hostname at which the platform serves a project, or will once it is deployed. One that it asks for by name is its own as soon as nobody else has it;
 * until then it keeps what it has. Without a name the project gets its own name's or, where that is reserved or somebody else's, one that is made for
 * it. Whatever a project holds it keeps: its claim is the memory, and in a restore without claims the status. Pure.
 */
export function projectHostname(project: Addressed, context: AddressContext): string {
  const { subdomain } = project.spec;
  const at = (label: string) => `${label}.${context.platformDomain}`;
  if (subdomain === undefined) return unnamed(project, context);
  const wanted = at(subdomain);
  if (isPlatformHolder(context.claimOf(wanted), project)) return wanted;
  const isFree = subdomainRefusal(project, subdomain, context) === null && isAvailable(wanted, project, context);
  return isFree ? wanted : (heldBy(project, context) ?? wanted);
}

function unnamed(project: Addressed, context: AddressContext): string {
  const hostnames = labelsOf(project, context).map((label) => `${label}.${context.platformDomain}`);
  const has = hostnames.find((hostname) => isPlatformHolder(context.claimOf(hostname), project));
  if (has !== undefined) return has;
  const { name } = project.metadata;
  const isGivenOut = subdomainRefusal(project, name, context) === null;
  const possible = isGivenOut ? hostnames : hostnames.slice(1);
  const free = possible.filter((hostname) => isAvailable(hostname, project, context));
  const had = free.find((hostname) => {
    const claim = context.claimOf(hostname);
    return claim !== undefined && namesHolder(claim, project);
  });
  const said = free.find((hostname) => hostname === project.status?.platformHostname);
  return had ?? said ?? free[0] ?? `${name}.${context.platformDomain}`;
}

/** The labels that a project which asks for none by name may have: its name, and what is made of it. A name that is no subdomain is refused, and nothing is made of it. */
function labelsOf({ metadata: { name, namespace = '' } }: Addressed, { records }: Pick<AddressContext, 'records'>) {
  if (subdomainObjection(name) !== null) return [name];
  const made = Array.from({ length: attempts }, (_, attempt) =>
    madeSubdomain(name, records.subdomain({ namespace, name, attempt })),
  );
  return [name, ...made];
}

/** Why nobody gets a label, or not by its name. */
export interface SubdomainRefusal {
  readonly reason: 'InvalidSubdomain' | 'SubdomainReserved';
  /** what is wrong, as the beginning of a sentence */
  readonly message: string;
}

/**
 * Why a project does not get a label as its subdomain, whoever has that; null where it may. What was made for this very project it may ask for by name as well. Pure.
 */
export function subdomainRefusal(
  project: Addressed,
  label: string,
  context: Pick<AddressContext, 'records'>,
): SubdomainRefusal | null {
  const objection = subdomainObjection(label);
  if (objection !== null) return { reason: 'InvalidSubdomain', message: objection };
  if (isReservedSubdomain(label)) return { reason: 'SubdomainReserved', message: `'${label}' is reserved` };
  if (!isMadeSubdomain(label) || labelsOf(project, context).slice(1).includes(label)) return null;
  return { reason: 'SubdomainReserved', message: `'${label}' ends as only subdomains do that the platform makes` };
}

/** Whether the project has the hostname or can have it: nobody claims it, or it is a tombstone of the same account, whose projects may reuse the name. Pure. */
export function isAvailable(
  hostname: string,
  project: Addressed,
  { claimOf, accountId }: Pick<AddressContext, 'claimOf' | 'accountId'>,
): boolean {
  const claim = claimOf(hostname);
  if (claim === undefined || isPlatformHolder(claim, project)) return true;
  return claim.spec.phase === 'Tombstone' && claim.spec.account === accountId;
}

/** What the project was served at until now; the latest where it has several for a moment. */
function heldBy(project: Addressed, { claimsOf }: Pick<AddressContext, 'claimsOf'>): string | undefined {
  const held = claimsOf(project).filter((claim) => isPlatformHolder(claim, project));
  return held.toSorted((a, b) => (a.spec.proof.at < b.spec.proof.at ? 1 : -1))[0]?.metadata.name;
}

/**
 * Subdomains that the platform makes where a project's own name is not to be had: the name, a hyphen, eight characters that nobody can guess,
 * and two that follow from all before. By these two such a label is known as what it is, so that no project gets one by asking for it by name.
 */
const keyedLength = 8;
const checkLength = 2;
const pattern = new RegExp(`^.+-[a-z2-7]{${keyedLength + checkLength}}$`);

/** The made label for a name; `keyed` are eight characters of base32. One label, whatever the name's length. */
export function madeSubdomain(name: string, keyed: string): string {
  const room = subdomainLength - 1 - keyedLength - checkLength;
  const checked = `${name.slice(0, room).replace(/-+$/, '')}-${keyed.slice(0, keyedLength)}`;
  return checked + checkOf(checked);
}

/** True for a label that madeSubdomain makes. One in a thousand others of that form is taken for one. */
export const isMadeSubdomain = (label: string): boolean =>
  pattern.test(label) && label.endsWith(checkOf(label.slice(0, -checkLength)));

const checkOf = (text: string): string => base32(hash('sha256', `subdomain\0${text}`, 'buffer'), checkLength);
