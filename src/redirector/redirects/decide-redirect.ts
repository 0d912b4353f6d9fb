import type { ProjectDomain } from '../../generated/project-domain.ts';
import type { Project } from '../../generated/project.ts';
import { challengePath, tokenPath } from '../../rules/domain-token.ts';
import { claimName } from '../../rules/claim-name.ts';
import type { SuspendableClaim } from '../../rules/claim-suspension.ts';
import { isHostnameSuspended } from '../../rules/claim-suspension.ts';
import { isServed } from '../../rules/domain-head.ts';
import type { Deletable } from '../../rules/leaving.ts';
import { isLeaving } from '../../rules/leaving.ts';
import type { PlatformClaim } from '../../rules/platform-hostname.ts';
import { heldPlatformHostname } from '../../rules/platform-hostname.ts';
import { wildcardAbove } from '../../rules/wildcard.ts';
import type { ChallengedOrder } from './challenge-answer.ts';
import { challengeAnswer } from './challenge-answer.ts';

/** A request, byte for byte as it was received (latin1 strings). */
export interface RedirectRequest {
  /** lower case, without port; null when the request names no host or several */
  readonly host: string | null;
  /** the request target as on the request line (RFC 9112 section 3.2) */
  readonly target: string;
  /** by which the visitor came, as the edge says; null where nobody says so */
  readonly scheme: 'http' | 'https' | null;
}

/** What the caches hold. Each lookup costs the same however many domains there are, and however many a tenant has. */
export interface RedirectSnapshot extends HeldHostnames {
  readonly project: (namespace: string, name: string) => (Pick<Project, 'metadata' | 'status'> & Deletable) | undefined;
  /** ProjectDomains whose published token has this nonce */
  readonly withNonce: (nonce: string) => readonly ProjectDomain[];
  /** the redirect that a hostname had until recently, while the ingress may still route here; null for none */
  readonly recent: (domain: ProjectDomain) => Redirect | null;
  /** whether a domain was Live or Degraded until recently, and nothing has withdrawn it since */
  readonly wasServed: (domain: ProjectDomain) => boolean;
  /** whether a redirect was a primary until recently, whose route may still lead to the project */
  readonly wasPrimary: (domain: ProjectDomain) => boolean;
}

export type Redirect = NonNullable<ProjectDomain['spec']['redirect']>;

export interface RedirectAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const noStore = { 'cache-control': 'no-store' } as const;
const shortly = { 'cache-control': 'max-age=300' } as const;
/** A month, and of this hostname alone: whoever takes it elsewhere may not have HTTPS there (RFC 6797). */
const strictly = { 'strict-transport-security': 'max-age=2592000' } as const;

const plain = (status: number, body: string, headers: Readonly<Record<string, string>> = noStore): RedirectAnswer => ({
  status,
  headers: { ...headers, 'content-type': 'text/plain' },
  body: `${body}\n`,
});

/** Its route stays where a wildcard would take its requests otherwise. */
const suspended = plain(503, 'this domain is suspended');

const noRedirect = plain(404, 'nothing redirects here');

/** The answer to a request. Pure; a Location always leads to https://<redirect.to>/, or over http to https:// of the hostname itself. */
export function decideRedirect({ host, target, scheme }: RedirectRequest, snapshot: RedirectSnapshot): RedirectAnswer {
  const path = pathOf(target);
  if (host === null || path === null) return plain(400, 'the request cannot be read');
  if (path.startsWith(challengePath)) return answerTo(snapshot.claimOf(host), path.slice(challengePath.length));
  if (path.startsWith(tokenPath)) return tokenAnswer(snapshot, host, path.slice(tokenPath.length));
  if (isHostnameSuspended(host, snapshot.claimOf)) return suspended;
  const answer = redirectAnswer(snapshot, host, path);
  const isRedirect = answer.status < 400;
  if (scheme === 'https' && isRedirect) return { ...answer, headers: { ...answer.headers, ...strictly } };
  const isSettled = isRedirect || answer === suspended;
  const leadsToItself = scheme === 'http' && !isSettled && isServedSecurely(host, snapshot);
  return leadsToItself ? moved({ to: host }, path, shortly) : answer;
}

/** The answer of the domain that holds the hostname, as far as that redirects. */
function redirectAnswer(snapshot: RedirectSnapshot, host: string, path: string): RedirectAnswer {
  const domain = holderOf(snapshot, host);
  if (!domain || isProjectLeaving(snapshot, domain)) return noRedirect;
  if (domain.status?.state === 'Suspended') return suspended;
  const { role, redirect } = domain.spec;
  if (role === 'Redirect' && redirect) return follow(snapshot, domain, redirect, path);
  const former = snapshot.recent(domain);
  if (former) return moved(former, path, noStore);
  const kept = refusedToBePrimary(domain);
  return kept ? follow(snapshot, domain, kept, path) : noRedirect;
}

/** The redirect of a domain that asks to be the primary, which is not accepted: its route still leads here, and it is served on as what it was. */
const refusedToBePrimary = ({ status }: ProjectDomain): Redirect | undefined =>
  status?.servedAs?.role === 'Redirect' && isServed({ status }) ? status.servedAs.redirect : undefined;

/** Only while the hostname is held: a certificate that another holder would get is not proven here. */
function answerTo(claim: ClaimHolder | undefined, token: string): RedirectAnswer {
  const body =
    claim?.spec.phase === 'Held' && !isLeaving(claim) ? challengeAnswer(claim.spec.orders ?? [], token) : null;
  if (body === null) return noRedirect;
  const headers = { ...noStore, 'content-type': 'application/octet-stream', 'x-content-type-options': 'nosniff' };
  return { status: 200, headers, body };
}

const isProjectLeaving = ({ project }: RedirectSnapshot, { metadata, spec }: ProjectDomain): boolean => {
  const found = project(metadata.namespace ?? '', spec.project);
  return found !== undefined && isLeaving(found);
};

/**
 * The answer of the domain whose token has this nonce. Only the operator publishes tokens (docs/concepts/proof.md), whoever
 * holds the hostname; everything else gets the same answer as a hostname that nobody has added.
 */
function tokenAnswer({ withNonce }: RedirectSnapshot, host: string, nonce: string): RedirectAnswer {
  const asked = withNonce(nonce).find((one) => !isLeaving(one) && one.spec.hostname === host);
  const answer = asked?.status?.check?.token?.answer;
  return answer === undefined ? noRedirect : plain(200, answer);
}

/** A redirect is brief where its domain asks to be something else. */
function follow(snapshot: RedirectSnapshot, domain: ProjectDomain, redirect: Redirect, path: string): RedirectAnswer {
  const service = serviceOf(snapshot, domain, redirect.to);
  if (service === 'None') {
    return plain(503, 'the destination is not served yet', { ...noStore, 'retry-after': '5' });
  }
  const isBrief = domain.spec.role !== 'Redirect' || service === 'Briefly';
  return moved(redirect, path, isBrief ? noStore : shortly);
}

const moved = (
  { to, status = 301 }: Redirect,
  path: string,
  caching: Readonly<Record<string, string>>,
): RedirectAnswer => ({
  status,
  headers: { ...caching, location: `https://${to}${path}` },
  body: '',
});

/** Whether a redirect's destination is served by the project: `Briefly` while the two change places, until both are written, and where it was until a moment ago. */
type DestinationService = 'Served' | 'Briefly' | 'None';

/** Served: the project's platform hostname while that is held, and a held Primary hostname of it that is Live or Degraded, or was a moment ago. */
function serviceOf(snapshot: RedirectSnapshot, domain: ProjectDomain, to: string): DestinationService {
  const { metadata, spec } = domain;
  const { namespace = '' } = metadata;
  if (isHostnameSuspended(to, snapshot.claimOf)) return 'None';
  if (heldPlatformHostname(snapshot.project(namespace, spec.project), snapshot.claimOf) === to) return 'Served';
  const destination = holderOf(snapshot, to);
  if (!destination || !isBeside(domain, destination)) return 'None';
  const now = presenceOf(snapshot, destination);
  if (now === 'None' || (destination.spec.role ?? 'Primary') === 'Primary') return now;
  return isTrading(snapshot, domain, destination) ? 'Briefly' : 'None';
}

/** By its state, or what that was until a moment ago. */
function presenceOf(snapshot: RedirectSnapshot, destination: ProjectDomain): DestinationService {
  if (isServed(destination)) return 'Served';
  return snapshot.wasServed(destination) ? 'Briefly' : 'None';
}

/** True for a domain of the same project. */
const isBeside = ({ metadata, spec }: ProjectDomain, other: ProjectDomain): boolean =>
  other.metadata.namespace === metadata.namespace && other.spec.project === spec.project;

/**
 * The destination was a primary and redirects back here since a moment ago: its route goes on leading to the project until this hostname's does (docs/adr/0012),
 * so no visitor goes in a circle.
 */
const isTrading = ({ wasPrimary }: RedirectSnapshot, { spec }: ProjectDomain, destination: ProjectDomain): boolean =>
  destination.spec.redirect?.to === spec.hostname && wasPrimary(destination);

/**
 * Path and query of a request target in origin-form or absolute-form, unchanged; null for every other form. Scheme and
 * authority of an absolute-form are left out.
 */
export function pathOf(target: string): string | null {
  if (target.startsWith('/')) return target;
  const rest = /^https?:\/\/[^/?#]+(.*)$/is.exec(target)?.[1];
  if (rest === undefined) return null;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/**
 * The host of an absolute-form target, which overrides the Host field (RFC 9112 section 3.2.2); null for other forms.
 */
export const authorityOf = (target: string): string | null => /^https?:\/\/([^/?#]+)/i.exec(target)?.[1] ?? null;

/** A host in the form used by the caches: lower case, without port and trailing dot. */
export function hostnameOf(authority: string): string | null {
  const name = /^([^:@\s[\]]+?)\.?(:\d*)?$/.exec(authority)?.[1];
  return name === undefined ? null : name.toLowerCase();
}

/**
 * Whether a hostname is served over HTTPS, with a certificate of its own, of the wildcard above it, or, of a platform hostname, the edge's. Before that
 * a visitor who came over http would be led to a warning. Pure.
 */
function isServedSecurely(hostname: string, held: HeldHostnames): boolean {
  const claim = held.claimOf(hostname);
  if (isPlatform(claim)) return hasPlatformCertificate(claim);
  if (hasCertificate(holderOf(held, hostname))) return true;
  const above = wildcardAbove(hostname);
  return above !== null && hasCertificate(holderOf(held, above));
}

/** It was issued, and nothing has withdrawn it since. */
const hasCertificate = (domain: ProjectDomain | undefined): boolean =>
  domain?.status?.state !== 'Suspended' && domain?.status?.certificate?.notAfter !== undefined;

const isPlatform = (claim: ClaimHolder | undefined): claim is ClaimHolder =>
  claim?.spec.phase === 'Held' && claim.spec.proof?.method === 'Platform' && !isLeaving(claim);

/** Nothing was ever ordered for one that the edge's own certificate covers. */
const hasPlatformCertificate = ({ spec: { orders = [] } }: ClaimHolder): boolean =>
  orders.length === 0 || orders.some(({ outcome }) => outcome === 'Issued');

/** Who holds a hostname, whether still, and by which account a certificate of it is ordered. */
interface ClaimHolder extends PlatformClaim {
  readonly metadata: SuspendableClaim['metadata'] & Deletable['metadata'];
  readonly spec: PlatformClaim['spec'] & { readonly orders?: readonly ChallengedOrder[] };
}

/** Claims, and the domains that they name. Each lookup costs the same however many there are. */
interface HeldHostnames {
  /** by the claim's name, which is its hostname but for a wildcard */
  readonly claimOf: (name: string) => ClaimHolder | undefined;
  readonly domain: (namespace: string, name: string) => ProjectDomain | undefined;
}

/** The domain that the claim of a hostname, or of a wildcard, names, while it is held and neither is being deleted, whatever keeps them. */
function holderOf({ claimOf, domain }: HeldHostnames, hostname: string): ProjectDomain | undefined {
  const claim = claimOf(claimName(hostname));
  if (claim?.spec.phase !== 'Held' || isLeaving(claim)) return undefined;
  const { namespace, name } = claim.spec.holder;
  const holder = domain(namespace, name);
  return holder?.spec.hostname === hostname && !isLeaving(holder) ? holder : undefined;
}
