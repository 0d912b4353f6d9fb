import type { ProjectDomain } from '../generated/project-domain.ts';
import type { CodeRow } from './codes/code-rows.ts';
import type { DnsCode } from './verdict-codes.ts';
import type { Finding } from './conditions.ts';
import { isTrue } from './conditions.ts';
import { generality, headlineIssue } from './headline.ts';
import type { ToldIssue } from './issue-params.ts';
import { messageOfIssue } from './issue-params.ts';
import type { AcceptedReason, CertificateReason, RoutedReason, VerifiedReason, WithdrawnReason } from './reasons.ts';

type StateOfResource = NonNullable<NonNullable<ProjectDomain['status']>['state']>;

/** A ProjectDomain's states in the order of its life (docs/concepts/states.md), with what is said of one that has no reason of its own. */
export const domainStates = {
  Pending: {
    definition: 'It is not accepted; the reason says what to do.',
    title: 'Not ready yet',
    meaning: 'Something other than DNS has to happen before this domain can be set up.',
    todo: 'See what its page says, and fix it.',
  },
  Unverified: {
    definition: 'DNS is not set up correctly yet. It is checked automatically for seven days; Verify starts again.',
    title: 'Waiting for your DNS records',
    meaning: 'We can’t see the DNS records that connect this domain yet. We check automatically.',
    todo: 'Add the records shown at your DNS provider.',
    symptom: 'verification-keeps-failing',
  },
  Verified: {
    definition:
      'DNS is set up correctly; the certificate and the route come next, or the reason says what prevents them.',
    title: 'DNS is set up correctly',
    meaning: 'Your certificate comes next, then the domain goes live.',
    todo: 'Nothing to do: keep the records as they are.',
  },
  Live: {
    definition:
      'Served over HTTPS with its certificate. DNS is checked every 15 minutes, or less often where very many domains are served.',
    title: 'Live',
    meaning: 'Your domain is connected and has a valid certificate.',
    todo: 'Nothing to do: keep the records as they are.',
  },
  Degraded: {
    definition: '**Still served**, but a condition is no longer true. Seven days of grace.',
    title: 'Live, but at risk',
    meaning: 'Your domain still works, but something has changed that you should fix.',
    todo: 'Compare your DNS with the records shown, then select Re-verify.',
    symptom: 'verification-keeps-failing',
  },
  Suspended: {
    definition: 'Withdrawn; Secret and claim are kept. Verification brings it back without a new order.',
    title: 'No longer served',
    meaning: 'We stopped serving this domain and renewing its certificate.',
    todo: 'Compare your DNS with the records shown, then verify again. The domain comes back with the certificate it had.',
    symptom: 'verification-keeps-failing',
  },
} as const satisfies Readonly<Record<StateOfResource, CodeRow>>;

/** A ProjectDomain's state: a summary of its conditions and nothing else. */
export type DomainState = keyof typeof domainStates;

/** Every state, in the order of a domain's life. */
export const domainStateNames = Object.freeze(Object.keys(domainStates) as DomainState[]);

/** Every reason that a condition of a ProjectDomain can have. */
export type DomainReason = AcceptedReason | VerifiedReason | CertificateReason | RoutedReason | WithdrawnReason;

/** Findings by condition type, without the summary Ready. */
export interface DomainFindings {
  readonly Accepted: Finding<AcceptedReason>;
  readonly OwnershipVerified: Finding<VerifiedReason>;
  readonly DNSVerified: Finding<VerifiedReason>;
  readonly CertificateIssued: Finding<CertificateReason>;
  readonly Routed: Finding<RoutedReason>;
}

/** The first state that matches. */
export function domainState(findings: DomainFindings): DomainState {
  const { Accepted, OwnershipVerified, DNSVerified, Routed } = findings;
  if (Object.values(findings).every(isTrue)) return 'Live';
  if (isTrue(Routed)) return 'Degraded';
  if (Routed.status === 'False' && Routed.reason === 'Withdrawn') return 'Suspended';
  if (!isTrue(Accepted)) return 'Pending';
  if (!isTrue(DNSVerified) || !isTrue(OwnershipVerified)) return 'Unverified';
  return 'Verified';
}

/** The finding that people should read first: why the domain is not Live; null when it is. */
function blockingFinding(findings: DomainFindings): Finding<DomainReason> | null {
  const { Accepted, DNSVerified, OwnershipVerified, CertificateIssued, Routed } = findings;
  const contested = ['HeldElsewhere', 'OverlapsElsewhere'].includes(OwnershipVerified.reason)
    ? [OwnershipVerified]
    : [];
  const order =
    domainState(findings) === 'Suspended'
      ? [Routed]
      : [Accepted, ...contested, ...bySpecificity([DNSVerified, OwnershipVerified]), CertificateIssued, Routed];
  return order.find((finding) => !isTrue(finding)) ?? null;
}

/** Of the two proofs the one whose cause is the more specific comes first. */
const bySpecificity = (proofs: readonly Finding<VerifiedReason>[]): readonly Finding<VerifiedReason>[] =>
  proofs.toSorted((a, b) => generality(a.reason) - generality(b.reason));

/** What tells more exactly why a domain is not Live. */
interface Causes {
  /** what was found in DNS, without warnings, in the order of its issues */
  readonly errors: readonly (ToldIssue & { readonly code: DnsCode })[];
  /** why it is Suspended; null while it is not */
  readonly withdrawn: WithdrawnReason | null;
}

const noCauses: Causes = Object.freeze({ errors: [], withdrawn: null });

/** The summary condition: True exactly when Routed is, with the reason that matters most to people: the most specific one that is known. */
export function readyFinding(
  findings: DomainFindings,
  { errors, withdrawn }: Causes = noCauses,
): Finding<DomainReason> {
  const blocking = blockingFinding(findings);
  if (blocking === null) return findings.Routed;
  const status = findings.Routed.status === 'True' ? 'True' : 'False';
  const { reason, message } = blocking;
  if (domainState(findings) === 'Suspended') return { status, reason: withdrawn ?? reason, message };
  return { status, ...refined({ reason, message }, errors) };
}

/** A reason that only says which step is blocked gives way to what blocks it, with what that says, unless the message quotes it already. */
function refined(
  { reason, message }: Omit<Finding<DomainReason>, 'status'>,
  errors: Causes['errors'],
): Omit<Finding<DomainReason>, 'status'> {
  const cause = headlineIssue(reason, errors);
  if (!cause || cause.code === reason) return { reason, message };
  return { reason: cause.code, message: message.includes(cause.message) ? message : messageOfIssue(cause) };
}

/** How many served domains there are and how many of them fail now, and in how many namespaces each. */
export interface FailureCounts {
  readonly served: number;
  readonly failing: number;
  readonly namespaces: number;
  readonly failingNamespaces: number;
}

const failingAtLeast = 10;
const failingShare = 1 / 10;
/** Failures in only one or two accounts are no mass failure, however many domains they have. */
const namespacesAtLeast = 3;

/**
 * True when more than a tenth of all served domains fail at once, in more than a tenth of the namespaces: hardly their
 * owners' doing. No domain is degraded or suspended for it until it is over.
 */
export function isMassFailure({ served, failing, namespaces, failingNamespaces }: FailureCounts): boolean {
  if (failing < failingAtLeast || failing <= served * failingShare) return false;
  return failingNamespaces >= Math.min(namespacesAtLeast, namespaces) && failingNamespaces > namespaces * failingShare;
}
