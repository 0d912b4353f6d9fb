import type { ProjectDomain } from '../../../generated/project-domain.ts';
import { timestamp } from '../../../rules/conditions.ts';
import type { OwnPhase } from '../../../rules/own-certificate.ts';
import { isOwnSecret, ownPhase } from '../../../rules/own-certificate.ts';
import type { TimelineEntry, timelineReasons } from '../../../rules/timeline.ts';
import { lastServed } from '../../../rules/timeline.ts';
import type { ProjectDomainSnapshot } from '../project-domain-snapshot.ts';

type Change = keyof (typeof timelineReasons)['Certificate'];
type CertificateStatus = NonNullable<NonNullable<ProjectDomain['status']>['certificate']>;

const changes: Readonly<Record<OwnPhase, { readonly reason: Change; readonly message: string }>> = {
  InUse: { reason: 'Own', message: 'a certificate of the customer’s own is served' },
  Ending: { reason: 'OwnEnding', message: 'the certificate of the customer’s own ends soon' },
  Ended: { reason: 'OwnEnded', message: 'the certificate of the customer’s own has ended' },
};

export const servesOwn = ({ served }: CertificateStatus): boolean => isOwnSecret(served?.secretName);

/** Whether an entry about a certificate is about one of the customer's own. */
export const isOwnEntry = (entry: TimelineEntry | undefined): boolean =>
  Object.values(changes).some(({ reason }) => reason === entry?.reason);

/** What the timeline does not tell yet of the certificate of the customer's own that is served. */
export function ownCertificateEntries(
  { domain, own, now }: Pick<ProjectDomainSnapshot, 'domain' | 'own' | 'now'>,
  { served }: CertificateStatus,
  state: TimelineEntry['state'],
): readonly TimelineEntry[] {
  const wanted = own?.wanted;
  if (!wanted || wanted.secretName !== served?.secretName) return [];
  const { reason, message } = changes[ownPhase(wanted, now)];
  const { chain, notAfter } = wanted;
  const params = { notAfter, fingerprint: chain[0] ?? '' };
  const last = lastServed(domain.status?.timeline ?? []);
  if (last?.reason === reason && last.params?.fingerprint === params.fingerprint) return [];
  return [{ at: timestamp(now), kind: 'Certificate', state, reason, params, message }];
}
