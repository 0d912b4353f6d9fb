import { hostnameFinding } from '../../../rules/acceptance.ts';
import { minutes } from '../../../rules/check-schedule.ts';
import type { Finding } from '../../../rules/conditions.ts';
import { findingsOf, timestamp } from '../../../rules/conditions.ts';
import { certificateReasons } from '../../../rules/codes/certificate-reasons.ts';
import type { OwnCertificate, OwnRefusal, OwnSecret } from '../../../rules/own-certificate.ts';
import { certificateRules, isKnownSecret, ownPhase } from '../../../rules/own-certificate.ts';
import type { CertificateReason } from '../../../rules/reasons.ts';
import { visitedHostname } from '../../../rules/dns-target.ts';
import { servedObjection } from '../../../own-certificate/read-own-certificate.ts';
import type { GatheredProjectDomain, OwnUse, ProjectDomainSnapshot } from '../project-domain-snapshot.ts';
import { isForeign } from '../steps/foreign-certificate.ts';

const { no } = findingsOf(certificateReasons);

/** Decides what may be done with the certificates of the customer's own that were gathered. Pure. */
export function ownUseOf(snapshot: ProjectDomainSnapshot): OwnUse {
  const { own, ownSecretIsThere, domain, now } = snapshot;
  const until = own?.routedUntil ?? null;
  const isRouteOver = until !== null && now >= until;
  const found = recheck(snapshot);
  const trouble = troubleOf(snapshot, found);
  if (!own?.wanted || trouble) return { found, trouble, isRoutable: false, isRouteOver };
  const { secretName } = own.wanted;
  const isRoutable = own.routed === secretName || (ownSecretIsThere === true && isKnownSecret(domain, secretName));
  return { found, trouble, isRoutable, isRouteOver };
}

export const ownEnded = (): Finding<CertificateReason> => no('OwnCertificateEnded');

function troubleOf(snapshot: ProjectDomainSnapshot, found: OwnUse['found']): Finding<CertificateReason> | null {
  const { own, ownSecretIsThere, now } = snapshot;
  if (own?.isForged)
    return no(
      'OwnCertificateMissing',
      'spec.certificate was not written by the API server, so it is not served; send the certificate by PUT',
    );
  if (!own?.wanted) return null;
  if (own.lost) return no('OwnCertificateNotHeld', { lost: own.lost.hostname });
  const refusal = entryOf(snapshot, own.wanted)?.refused ?? found.refused;
  if (refusal) return no('OwnCertificateRefused', { rule: refusal.reason });
  if (ownSecretIsThere === false)
    return no('OwnCertificateMissing', 'the Secret of the certificate is not there; send the certificate again by PUT');
  if (own.routed === own.wanted.secretName) return null;
  return ownPhase(own.wanted, now) === 'Ended' ? ownEnded() : null;
}

const entryOf = (
  { domain }: Pick<GatheredProjectDomain, 'domain'>,
  { secretName }: OwnCertificate,
): OwnSecret | undefined => domain.status?.certificate?.ownSecrets?.find(({ name }) => name === secretName);

/** Whether the certificate that the route names was not seen yet by the rules as they are now. */
export function isUnchecked(gathered: Pick<GatheredProjectDomain, 'domain' | 'own'>): boolean {
  const { own } = gathered;
  if (!own?.wanted || own.routed !== own.wanted.secretName) return false;
  const entry = entryOf(gathered, own.wanted);
  return entry?.refused === undefined && entry?.rules !== certificateRules;
}

/** The ingress takes up a Secret within moments; what it has not shown for so long it does not read, or another one stands before it. */
const notShownAfter = 10 * minutes;

/**
 * Checks the certificate that the route names as visitors see it: the operator may not read its Secret. So one that was sent before a rule was added is checked
 * by it as well.
 */
function recheck(snapshot: ProjectDomainSnapshot): OwnUse['found'] {
  const { own, probe, unansweredSince, now } = snapshot;
  if (!own?.wanted || !isUnchecked(snapshot)) return {};
  const refused = (reason: string): { refused: OwnRefusal } => ({ refused: { reason, at: timestamp(now) } });
  if (probe?.certificate) {
    const reason = objectionTo(snapshot, probe.certificate, own.wanted.names);
    return reason === null ? { rules: certificateRules } : refused(reason);
  }
  const isHidden = isForeign(probe) && unansweredSince !== null && now - unansweredSince >= notShownAfter;
  return isHidden ? refused('NotShown') : {};
}

function objectionTo(
  { domain, settings }: ProjectDomainSnapshot,
  der: Buffer,
  names: readonly string[],
): string | null {
  const { platformDomain, cnameDomain } = settings;
  if (names.some((name) => hostnameFinding(name, [platformDomain, cnameDomain]) !== null)) return 'PlatformName';
  return servedObjection(der, visitedHostname(domain.spec.hostname))?.reason ?? null;
}
