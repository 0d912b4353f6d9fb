import type { WriteAction } from '../../../controller-runtime/actions.ts';
import { removeAction } from '../../../controller-runtime/actions.ts';
import { CertificateKind, SecretKind } from '../../../resources/kinds.ts';
import { schemaBounds } from '../../../resources/object-limits.ts';
import { minutes } from '../../../rules/check-schedule.ts';
import { timestamp } from '../../../rules/conditions.ts';
import type { OwnSecret } from '../../../rules/own-certificate.ts';
import { isKnownSecret, isOwnSecret } from '../../../rules/own-certificate.ts';
import type { ProjectDomain } from '../../../generated/project-domain.ts';
import type { EvaluatedProjectDomain } from '../project-domain-snapshot.ts';
import { isSwitching } from '../served-certificate.ts';

/** How long what was served before is kept once the ingress answers with what followed it: others of its Pods may be behind. */
const keptFor = 1 * minutes;

interface Tidied {
  readonly writes: readonly WriteAction[];
  /** when there is more to do, milliseconds since the Unix epoch; null while nothing is known to come */
  readonly at: number | null;
}

/**
 * Deletes, by name, the customer's own certificates that are no longer used, and the Certificate that its own replaced, once the ingress
 * has answered with what follows for a while.
 */
export function tidySecrets(snapshot: EvaluatedProjectDomain): Tidied {
  const { namespace = '' } = snapshot.domain.metadata;
  const unused = unusedSecrets(snapshot);
  const replaced = replacedCertificate(snapshot);
  const at = settledAt(snapshot);
  if (unused.length + replaced.length === 0 || at === null) return { writes: [], at: null };
  if (snapshot.now < at) return { writes: [], at };
  const removals = unused.map(({ name }) => ({ verb: 'remove', kind: SecretKind, key: { namespace, name } }) as const);
  return { writes: [...removals, ...replaced], at: null };
}

/** The Certificate, where the route names the customer's own in its place. */
function replacedCertificate(snapshot: EvaluatedProjectDomain): readonly WriteAction[] {
  const { domain, own, ownUse, certificate } = snapshot;
  const isOurs = certificate?.metadata.ownerReferences?.some(({ uid }) => uid === domain.metadata.uid) ?? false;
  const isReplaced = ownUse.isRoutable && own?.routed === own?.wanted?.secretName;
  return certificate && isOurs && isReplaced ? [removeAction(CertificateKind, certificate)] : [];
}

/** From when nothing but what the route names is needed; null while the ingress does not answer with that yet. */
function settledAt(snapshot: EvaluatedProjectDomain): number | null {
  if (snapshot.route === undefined) return snapshot.now;
  const served = servedNow(snapshot);
  return served && served.secretName === snapshot.route.secretName ? Date.parse(served.since) + keptFor : null;
}

type CertificateStatus = NonNullable<NonNullable<ProjectDomain['status']>['certificate']>;

/** What the ingress was last seen to answer with: a status other than the project's own says nothing of the certificate. */
function servedNow(snapshot: EvaluatedProjectDomain): CertificateStatus['served'] {
  const { domain, route, probe, now } = snapshot;
  const before = domain.status?.certificate?.served;
  const isShown = probe !== null && (probe.ok || probe.code === 'NoAnswer');
  if (route?.secretName === undefined) return undefined;
  if (!isShown || !isSwitching(snapshot)) return before;
  return { secretName: route.secretName, since: timestamp(now) };
}

function unusedSecrets(snapshot: EvaluatedProjectDomain): readonly OwnSecret[] {
  const { domain, own } = snapshot;
  const used = new Set([own?.wanted?.secretName, own?.routed, servedNow(snapshot)?.secretName]);
  return (domain.status?.certificate?.ownSecrets ?? []).filter(({ name }) => !used.has(name));
}

/** With the wanted one as soon as it is seen, so that it is deleted once it is no longer used, whatever the spec says then. */
function knownSecrets(snapshot: EvaluatedProjectDomain): readonly OwnSecret[] {
  const { domain, own, ownUse, ownSecretIsThere } = snapshot;
  const known = domain.status?.certificate?.ownSecrets ?? [];
  const wanted = own?.wanted;
  if (!wanted) return known;
  if (isKnownSecret(domain, wanted.secretName)) return withFound(known, wanted.secretName, ownUse.found);
  if (ownSecretIsThere !== true) return known;
  const { secretName: name, names, notAfter } = wanted;
  return [...known, { name, names, notAfter }].slice(-schemaBounds.ownSecrets);
}

const withFound = (known: readonly OwnSecret[], secretName: string, found: Partial<OwnSecret>): readonly OwnSecret[] =>
  known.map((secret) => (secret.name === secretName ? { ...secret, ...found } : secret));

/** What the status says of its own certificates; nothing for a domain that has none. */
export function ownCertificateStatus(
  snapshot: EvaluatedProjectDomain,
): Pick<CertificateStatus, 'ownSecrets' | 'served' | 'notAfter'> {
  if (snapshot.own === null) return {};
  const { at, writes } = tidySecrets(snapshot);
  const gone = at === null && writes.length > 0 ? unusedSecrets(snapshot).map(({ name }) => name) : [];
  const left = knownSecrets(snapshot).filter(({ name }) => !gone.includes(name));
  const served = servedNow(snapshot);
  const facts = left.find(({ name }) => name === served?.secretName);
  return {
    ...(left.length === 0 ? {} : { ownSecrets: left }),
    ...(served && (left.length > 0 || isOwnSecret(served.secretName)) ? { served } : {}),
    ...(facts ? { notAfter: facts.notAfter } : {}),
  };
}
