import type { CertificateRequest } from '../../model/cert-manager.ts';
import { timestamp } from '../../model/condition.ts';
import { registrableDomain } from '../../model/hostname.ts';
import { CertificateKind, HostnameClaimKind, ProjectKind } from '../../model/kinds.ts';
import type { Wait } from '../../model/ledger/limits.ts';
import type { Payer } from '../../model/ledger/share.ts';
import { nameWait } from '../../model/ledger/name.ts';
import { certificate as build } from '../../routes/certificate.ts';
import { approve, undecided, withhold } from '../approval.ts';
import { claimWith, idOf, isGranted, isJustRecorded, orderClass, withOrder, withOutcomes } from '../ledger.ts';
import { objection } from '../objection.ts';
import type { Action } from '../plan.ts';
import { steady, waitFor, waitSentence, waitsForTurn } from '../waiting.ts';
import type { ProjectSnapshot } from './snapshot.ts';

export interface PlatformCertificate {
  readonly actions: readonly Action[];
  /** status.certificate */
  readonly status: { readonly request?: string; readonly waitsUntil?: string; readonly waitsFor?: string };
  /** milliseconds since the Unix epoch; null when nothing waits for a time */
  readonly waitsUntil: number | null;
}

const nothing: PlatformCertificate = Object.freeze({ actions: [], status: {}, waitsUntil: null });

/**
 * A Certificate of the platform hostname's own, through the same door as customers' (the claim is held by this very
 * project and account, the request is exactly ours, the ledger agrees); only no customer's DNS is asked.
 */
export function platformCertificate(snapshot: ProjectSnapshot): PlatformCertificate {
  const { project, hostname, settings, requests, now } = snapshot;
  const input = { namespace: project.metadata.namespace ?? '', hostname, owner: project };
  const certificate: Action = { verb: 'apply', kind: CertificateKind, object: build(input, settings.issuer) };
  const judged = undecided(requests).map((request) => ({ request, why: objectionTo(snapshot, request) }));
  const misfits = judged.flatMap(({ request, why }) => (why === null ? [] : withhold(request, why, now)));
  const request = judged.find(({ why }) => why === null)?.request;
  const step = request ? decideOn(snapshot, request) : { ...nothing, actions: settle(snapshot) };
  return { ...step, actions: [certificate, ...misfits, ...step.actions] };
}

const objectionTo = ({ hostname, certificate, project, settings }: ProjectSnapshot, request: CertificateRequest) =>
  objection(request, {
    hostname,
    certificate,
    owner: { kind: ProjectKind.kind, metadata: project.metadata },
    issuer: settings.issuer,
  });

function decideOn(snapshot: ProjectSnapshot, request: CertificateRequest): PlatformCertificate {
  const { claim, orderLedger, requests, certificate, now } = snapshot;
  if (!claim) return nothing;
  const before = withOutcomes(claim.spec.orders ?? [], requests);
  const recorded = isJustRecorded(before, request, now);
  if (!recorded && !isGranted(orderLedger, request, now)) return inLine(snapshot, request);
  const placed = { kind: orderClass(certificate, now), unconfirmed: false };
  const orders = recorded ? before : withOrder(before, request, placed, now);
  const write: Action = { verb: 'replace', kind: HostnameClaimKind, object: claimWith(claim, orders) };
  return { ...nothing, actions: [...(orders === claim.spec.orders ? [] : [write]), approve(request, now)] };
}

function inLine(snapshot: ProjectSnapshot, request: CertificateRequest): PlatformCertificate {
  const { now, project } = snapshot;
  const wait = steady(waitOf(snapshot, request), project.status?.certificate, now);
  const waits = wait ? { waitsUntil: timestamp(wait.until), waitsFor: wait.reason } : {};
  const why = wait ? waitSentence[wait.reason] : waitsForTurn;
  return {
    actions: [...settle(snapshot), ...withhold(request, why, now)],
    status: { request: idOf(request), ...waits },
    waitsUntil: wait?.until ?? null,
  };
}

function waitOf(snapshot: ProjectSnapshot, request: CertificateRequest): Wait | null {
  const { claim, account, hostname, orderLedger, domainBook, served, settings, now } = snapshot;
  const limits = settings.orderLimits;
  const own = nameWait(claim?.spec.orders ?? [], limits, now);
  if (own) return own;
  const payer: Payer = {
    account: account?.spec.id ?? '',
    domain: registrableDomain(hostname),
    weight: 1,
    kind: 'Platform',
    served,
  };
  const since = Date.parse(request.metadata.creationTimestamp ?? '') || now;
  return waitFor({ ledger: orderLedger, domain: domainBook, limits }, payer, since, now);
}

function settle({ claim, requests }: ProjectSnapshot): readonly Action[] {
  const before = claim?.spec.orders ?? [];
  const after = withOutcomes(before, requests);
  if (!claim || after === before) return [];
  return [{ verb: 'replace', kind: HostnameClaimKind, object: claimWith(claim, after) }];
}
