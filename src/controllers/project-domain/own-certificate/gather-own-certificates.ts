import type { ProjectDomain } from '../../../generated/project-domain.ts';
import { hours } from '../../../rules/check-schedule.ts';
import type { OwnCertificate, OwnSecret } from '../../../rules/own-certificate.ts';
import { isOwnSecret, ownSecretName, servedUntil } from '../../../rules/own-certificate.ts';
import type { ObservedRoute } from '../../../routing/route-port.ts';
import type { Caches } from '../../needs.ts';
import type { ControllerSettings } from '../../controller-settings.ts';
import { claimKey } from '../../../rules/claim-name.ts';

/** A hostname of a certificate that another account holds by now. */
interface LostName {
  readonly hostname: string;
  /** when that account proved it, milliseconds since the Unix epoch */
  readonly since: number;
}

/** What caches show of the certificates of the customer's own. */
export interface OwnCertificates {
  /** what the spec names, if the API server wrote it; null otherwise */
  readonly wanted: OwnCertificate | null;
  /** the spec names what the API server did not write */
  readonly isForged: boolean;
  /** the first lost name of the wanted one */
  readonly lost: LostName | null;
  /** the Secret of the customer's own that the route names; null where it names none */
  readonly routed: string | null;
  /** until when the route may name it, milliseconds since the Unix epoch; null without an end */
  readonly routedUntil: number | null;
}

/** For so long a certificate may still be served after another account took one of its names, so that another one is there by then. */
const lostButServed = hours;

interface OwnSources {
  readonly caches: Pick<Caches, 'claims'>;
  readonly settings: Pick<ControllerSettings, 'records'>;
}

interface OwnSubject {
  readonly domain: ProjectDomain;
  readonly accountId: string | undefined;
  readonly route: ObservedRoute | undefined;
}

/** null for a domain that neither has nor had one. */
export function gatherOwnCertificates(sources: OwnSources, subject: OwnSubject): OwnCertificates | null {
  const { domain, route } = subject;
  const routed = isOwnSecret(route?.secretName) ? route.secretName : null;
  if (routed === null && !domain.spec.certificate && secretsOf(domain).length === 0) return null;
  const wanted = genuineCertificate(sources, subject);
  return {
    wanted,
    isForged: domain.spec.certificate !== undefined && wanted === null,
    lost: wanted && lostName(sources, subject, wanted.names),
    routed,
    routedUntil:
      routed === null
        ? null
        : earliestOf(endOfRefused(routed, domain), endOfRoute(sources, subject, namesOf(routed, domain, wanted))),
  };
}

const secretsOf = ({ status }: ProjectDomain): readonly OwnSecret[] => status?.certificate?.ownSecrets ?? [];

/** What the spec names, if the API server wrote it for this account and hostname. */
const genuineCertificate = (sources: OwnSources, subject: OwnSubject): OwnCertificate | null =>
  isGenuine(sources, subject) ? (subject.domain.spec.certificate ?? null) : null;

/** Whether the API server wrote what the spec says of a certificate, for this account and hostname. */
export function isGenuine(
  { settings }: Pick<OwnSources, 'settings'>,
  { domain, accountId = '' }: Pick<OwnSubject, 'domain' | 'accountId'>,
): boolean {
  const { certificate, hostname } = domain.spec;
  if (!certificate) return false;
  return certificate.secretName === ownSecretName(settings.records, { accountId, hostname }, certificate);
}

/** The hostnames of the certificate that the route names, whatever the spec says now; null where they are not known. */
const namesOf = (routed: string, domain: ProjectDomain, wanted: OwnCertificate | null): readonly string[] | null =>
  routed === wanted?.secretName ? wanted.names : (secretsOf(domain).find(({ name }) => name === routed)?.names ?? null);

function endOfRefused(routed: string, domain: ProjectDomain): number | null {
  const refused = secretsOf(domain).find(({ name }) => name === routed)?.refused;
  return refused === undefined ? null : servedUntil(refused);
}

const earliestOf = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

function endOfRoute(sources: OwnSources, subject: OwnSubject, names: readonly string[] | null): number | null {
  if (names === null) return 0;
  const lost = lostName(sources, subject, names);
  return lost && lost.since + lostButServed;
}

/** Ingress controllers choose certificates by the names in them, so none is served that names a hostname of another account. */
function lostName({ caches }: OwnSources, { accountId }: OwnSubject, names: readonly string[]): LostName | null {
  for (const hostname of names) {
    const claim = caches.claims.get(claimKey(hostname))?.spec;
    if (claim?.phase === 'Held' && claim.account !== accountId) return { hostname, since: Date.parse(claim.proof.at) };
  }
  return null;
}
