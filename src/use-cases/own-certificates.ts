import type { ProjectDomain } from '../generated/project-domain.ts';
import type { CertificateRefusalReason } from '../own-certificate/certificate-refusal.ts';
import type { SentCertificate } from '../own-certificate/read-own-certificate.ts';
import { readOwnCertificate } from '../own-certificate/read-own-certificate.ts';
import { hostnameFinding, rejectionOf } from '../rules/acceptance.ts';
import type { OwnCertificate } from '../rules/own-certificate.ts';
import { ownSecretName } from '../rules/own-certificate.ts';
import { acceptanceCandidate, claimRelationIn } from './acceptance-candidate.ts';
import type { RequestContext } from './api-dependencies.ts';
import type { DomainPath } from './find-in-account.ts';
import { domainOf } from './find-in-account.ts';
import { problemOfFinding } from './error-to-problem.ts';
import { Problem } from './problem.ts';
import { forgetCertificate, storeCertificate } from './store-certificate.ts';
import { preconditionFailed } from './precondition.ts';
import { useCase } from './use-case.ts';
import { checkVersion } from './writes/check-version.ts';
import { ProjectDomainKind } from '../resources/kinds.ts';
import { claimKey } from '../rules/claim-name.ts';

/** A certificate of the customer's own, as REST shows it: never its key, nor the certificate itself. */
export interface OwnCertificateView extends Pick<OwnCertificate, 'issuer' | 'names' | 'notBefore' | 'notAfter'> {
  /** SHA-256 of the certificate, hexadecimal */
  readonly fingerprint: string;
  /** whether visitors are answered with it */
  readonly served: boolean;
}

/** The domain's own certificate. Throws not-found for a domain with automatic ones. */
export const showCertificate = useCase<DomainPath, OwnCertificateView>('domains:read', (context, path) =>
  certificateView(domainOf(context, path)),
);

interface ReplaceCertificate extends DomainPath {
  readonly sent: SentCertificate;
}

/**
 * Serves the hostname with a certificate of the customer's own from now on. Rejects with what the acceptance rules raise, with
 * hostname-not-held and with invalid-certificate; nothing has changed then. The same certificate again is no mistake.
 */
export const replaceCertificate = useCase<ReplaceCertificate, OwnCertificateView>(
  'domains:write',
  async (context, { sent, ...path }) => {
    const { settings, now, isIssuedByPublicRoot } = context.dependencies;
    const domain = await seenCertificate(context, domainOf(context, path));
    rejectUnserved(context, domain);
    const { hostname } = domain.spec;
    const read = readOwnCertificate(sent, { hostname, now: now(), isIssuedByPublicRoot });
    if (!read.ok) throw invalid(read.reason, read.message);
    const { facts, chainPem, keyPem } = read;
    rejectPlatformNames(context, facts.names);
    rejectForeignNames(context, facts.names);
    const holder = { accountId: context.caller.account.spec.id ?? '', hostname };
    const certificate: OwnCertificate = { ...facts, secretName: ownSecretName(settings.records, holder, facts) };
    return certificateView(await storeCertificate(context, domain, { certificate, chainPem, keyPem }));
  },
);

/** Goes back to automatic certificates. The domain's own is served until the first of them is there. Throws not-found without one. */
export const removeCertificate = useCase<DomainPath, void>('domains:write', async (context, path) => {
  const found = domainOf(context, path);
  if (!found.spec.certificate) throw noCertificate(found);
  const domain = await seenCertificate(context, found);
  await forgetCertificate(context, domain);
});

/** The domain with the certificate that the client has seen. Rejects with precondition-failed, also where there is none. */
async function seenCertificate(context: RequestContext, domain: ProjectDomain): Promise<ProjectDomain> {
  const seen = await checkVersion(context, ProjectDomainKind, domain);
  if (context.ifMatch && !seen.spec.certificate) throw preconditionFailed();
  return seen;
}

function certificateView(domain: ProjectDomain): OwnCertificateView {
  const { certificate } = domain.spec;
  if (!certificate) throw noCertificate(domain);
  const { secretName, chain, issuer, names, notBefore, notAfter } = certificate;
  const served = domain.status?.certificate?.served?.secretName === secretName;
  return { issuer, names, fingerprint: chain[0] ?? '', notBefore, notAfter, served };
}

const noCertificate = ({ spec: { hostname } }: ProjectDomain): Problem =>
  new Problem('not-found', `${hostname} has no certificate of its own; its certificates are ordered automatically`, {
    members: { missing: 'certificate', name: hostname },
  });

/** A hostname that is not served has no use for a certificate, and one that is not proven may get none. */
function rejectUnserved(context: RequestContext, domain: ProjectDomain): void {
  const rejection = rejectionOf(acceptanceCandidate(context, domain));
  if (rejection) throw problemOfFinding(rejection);
  if (claimRelationIn(context, domain).kind !== 'Held') throw notHeld([domain.spec.hostname]);
}

const invalid = (reason: CertificateRefusalReason, message: string): Problem =>
  new Problem('invalid-certificate', message, { members: { reason } });

/** An account holds the claims of its platform hostnames too, and those are served with the platform's certificates alone. */
function rejectPlatformNames({ dependencies: { settings } }: RequestContext, names: readonly string[]): void {
  const { platformDomain, cnameDomain } = settings;
  const found = names.find((name) => hostnameFinding(name, [platformDomain, cnameDomain]) !== null);
  if (found === undefined) return;
  throw invalid('PlatformName', `the certificate names ${found}, a hostname of the platform; send one without it`);
}

function rejectForeignNames({ dependencies, caller }: RequestContext, names: readonly string[]): void {
  const foreign = names.filter((name) => {
    const claim = dependencies.caches.claims.get(claimKey(name))?.spec;
    return claim?.phase !== 'Held' || claim.account !== caller.account.spec.id;
  });
  if (foreign.length > 0) throw notHeld(foreign);
}

/** Whether nobody or another account holds them is not told. */
const notHeld = (hostnames: readonly string[]): Problem =>
  new Problem(
    'hostname-not-held',
    `the account has not verified ${hostnames.join(', ')}: add each of them as a domain and verify it first, or send a certificate that does not name it`,
    { members: { hostnames } },
  );
