import { minutes } from '../../../rules/check-schedule.ts';
import { timestamp } from '../../../rules/conditions.ts';
import { hostnameFinding } from '../../../rules/acceptance.ts';
import type { OwnRefusal, OwnSecret } from '../../../rules/own-certificate.ts';
import { certificateRules } from '../../../rules/own-certificate.ts';
import { visitedHostname } from '../../../rules/visited-hostname.ts';
import { servedObjection } from '../../../own-certificate/served-objection.ts';
import type { GatheredProjectDomain, ProjectDomainSnapshot } from '../project-domain-snapshot.ts';
import { isForeign } from './foreign-certificate.ts';

/** What was found of a certificate by the rules as they are now; nothing where it was not seen. */
type Found = Pick<OwnSecret, 'rules' | 'refused'>;

/** The ingress takes up a Secret within moments; what it has not shown for so long it does not read, or another one stands before it. */
const notShownAfter = 10 * minutes;

const entryOf = (
  { domain }: Pick<GatheredProjectDomain, 'domain'>,
  secretName: string | undefined,
): OwnSecret | undefined => domain.status?.certificate?.ownSecrets?.find(({ name }) => name === secretName);

/** Whether the certificate that the route names was not seen yet by the rules as they are now. */
export function isUnchecked(gathered: Pick<GatheredProjectDomain, 'domain' | 'own'>): boolean {
  const { own } = gathered;
  if (!own?.wanted || own.routed !== own.wanted.secretName) return false;
  const entry = entryOf(gathered, own.routed);
  return entry?.refused === undefined && entry?.rules !== certificateRules;
}

/**
 * Checks the certificate that the route names as visitors see it: the operator may not read its Secret. So one that was sent before a rule was added is checked
 * by it as well. Pure.
 */
export function recheck(snapshot: ProjectDomainSnapshot): Found {
  const { own, probe, unansweredSince, now } = snapshot;
  if (!own?.wanted || !isUnchecked(snapshot)) return {};
  const refused = (reason: string): Found => ({ refused: { reason, at: timestamp(now) } });
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

/** Why the certificate that the spec names is no longer taken, as it was found before or is now; null where it is. */
export function ownRefusal(snapshot: ProjectDomainSnapshot): OwnRefusal | null {
  const { own } = snapshot;
  return entryOf(snapshot, own?.wanted?.secretName)?.refused ?? recheck(snapshot).refused ?? null;
}
