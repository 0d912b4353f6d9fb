import type { HostnameClaim } from '../generated/hostname-claim.ts';
import type { Project } from '../generated/project.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import { namesHolder } from '../rules/precedence.ts';

/** What a request asks for, byte for byte as it was received (strings of latin1). */
export interface RedirectRequest {
  /** lower case, without port; null when the request names no host or several */
  readonly host: string | null;
  /** the request target as on the request line (RFC 9112 section 3.2) */
  readonly target: string;
}

/** What the caches show around one hostname. */
export interface RedirectSnapshot {
  readonly claim: HostnameClaim | undefined;
  /** ProjectDomains with the hostname */
  readonly domains: readonly ProjectDomain[];
  readonly project: (namespace: string, name: string) => Project | undefined;
  readonly claimOf: (hostname: string) => HostnameClaim | undefined;
  /** other ProjectDomains of the same project with a hostname */
  readonly siblings: (domain: ProjectDomain, hostname: string) => readonly ProjectDomain[];
  /** the redirect a hostname had until a moment ago, while the ingress still leads here; null for none */
  readonly recent: (domain: ProjectDomain) => Redirect | null;
}

export type Redirect = NonNullable<ProjectDomain['spec']['redirect']>;

export interface RedirectAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const noStore = { 'cache-control': 'no-store' } as const;
const challengePath = '/.well-known/acme-challenge/';
const servedStates: readonly (string | undefined)[] = ['Live', 'Degraded'];

const plain = (status: number, body: string, headers: Readonly<Record<string, string>> = noStore): RedirectAnswer => ({
  status,
  headers: { ...headers, 'content-type': 'text/plain' },
  body: `${body}\n`,
});

const notHere = plain(404, 'nothing redirects here');

/** Where a request goes. Pure; the Location can only ever lead to https://<redirect.to>/. */
export function decideRedirect(
  { host, target }: RedirectRequest,
  seen: (host: string) => RedirectSnapshot,
): RedirectAnswer {
  const path = pathOf(target);
  if (host === null || path === null) return plain(400, 'the request cannot be read');
  if (path.startsWith(challengePath)) return notHere;
  const found = seen(host);
  const { claim } = found;
  if (claim?.spec.phase !== 'Held') return notHere;
  const domain = found.domains.find(
    (candidate) => namesHolder(claim, candidate) && !candidate.metadata.deletionTimestamp,
  );
  if (!domain) return notHere;
  if (domain.spec.role === 'Redirect' && domain.spec.redirect) return follow(found, domain, path);
  const former = found.recent(domain);
  return former ? moved(former, path, noStore) : notHere;
}

function follow(seen: RedirectSnapshot, domain: ProjectDomain, path: string): RedirectAnswer {
  const { redirect } = domain.spec;
  if (!redirect || !isServed(seen, domain, redirect.to)) {
    return plain(503, 'the destination is not served yet', { ...noStore, 'retry-after': '5' });
  }
  return moved(redirect, path, { 'cache-control': 'max-age=300' });
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

/** The project's platform hostname, or its own hostname that is held and Live or Degraded and serves the project. */
function isServed(seen: RedirectSnapshot, domain: ProjectDomain, to: string): boolean {
  const { namespace = '' } = domain.metadata;
  if (seen.project(namespace, domain.spec.project)?.status?.platformHostname === to) return true;
  const claim = seen.claimOf(to);
  if (claim?.spec.phase !== 'Held') return false;
  return seen
    .siblings(domain, to)
    .filter((candidate) => namesHolder(claim, candidate) && (candidate.spec.role ?? 'Primary') === 'Primary')
    .some(({ status }) => servedStates.includes(status?.state));
}

/**
 * Path and query of a request target in origin-form or absolute-form, untouched; null for every other form. What stands
 * before the path of an absolute-form names the host and is not part of it.
 */
export function pathOf(target: string): string | null {
  if (target.startsWith('/')) return target;
  const rest = /^https?:\/\/[^/?#]+(.*)$/is.exec(target)?.[1];
  if (rest === undefined) return null;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The host of an absolute-form target, which wins over the Host field (RFC 9112 section 3.2.2); null for other forms. */
export const authorityOf = (target: string): string | null => /^https?:\/\/([^/?#]+)/i.exec(target)?.[1] ?? null;

/** A host as the caches know it: lower case, without port and without a dot at its end. */
export function hostnameOf(authority: string): string | null {
  const name = /^([^:@\s[\]]+?)\.?(:\d*)?$/.exec(authority)?.[1];
  return name === undefined ? null : name.toLowerCase();
}
