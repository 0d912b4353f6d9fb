import { certificateNameAnnotation } from '../../../src/resources/cert-manager-types.ts';
import type { Certificate, CertificateRequest } from '../../../src/resources/cert-manager-types.ts';
import { CertificateKind, CertificateRequestKind } from '../../../src/resources/kinds.ts';
import { hours } from '../../../src/rules/check-schedule.ts';
import { findCondition, isTrue, timestamp } from '../../../src/rules/conditions.ts';
import { indexKey, objectKeyOf, queueKey } from '../../../src/kubernetes/object-keys.ts';
import type { MemoryObjects } from './memory-objects.ts';
import { unsignedRequest } from './made-der.ts';
import type { VirtualTime } from './virtual-time.ts';

/** How long cert-manager takes to notice something. */
const noticesAfter = 500;
/** Its pauses after failures in a row (controller/certificates/trigger): one hour, doubling to 32. */
const firstPause = 1 * hours;
const longestPause = 32 * hours;

interface Ends {
  /** milliseconds since the Unix epoch */
  readonly notBefore: number;
  readonly notAfter: number;
}

interface SimulatedCertManager {
  readonly objects: MemoryObjects;
  readonly time: VirtualTime;
  /** of the certificate that a request was given */
  readonly validityOf: (request: CertificateRequest) => Ends | undefined;
}

/**
 * What cert-manager does for an external issuer: a request for each issuance, the certificate of an issued one, a pause after a failed one,
 * and a renewal by the Certificate's own `renewBeforePercentage`.
 */
export function startCertManager({ objects, time, validityOf }: SimulatedCertManager): void {
  const { stores, cluster } = objects;
  const planned = new Map<string, { readonly at: number; readonly giveUp: () => void }>();
  let made = 0;

  const plan = (key: string, at: number) => {
    const before = planned.get(key);
    if (before && before.at <= at) return;
    before?.giveUp();
    const giveUp = time.at(at, async () => {
      planned.delete(key);
      await look(key);
    });
    planned.set(key, { at, giveUp });
  };
  const soon = (key: string) => plan(key, time.now() + noticesAfter);

  const look = async (key: string) => {
    const [namespace = '', name = ''] = key.split('/');
    const certificate = stores.certificates.get({ namespace, name });
    if (!certificate) return;
    if (isTrue(findCondition(certificate.status?.conditions, 'Issuing'))) return goOn(certificate);
    const at = nextIssuance(certificate, time.now());
    if (at > time.now()) return plan(key, at);
    const reason = certificate.status?.notAfter === undefined ? 'DoesNotExist' : 'Renewing';
    await write(certificate, { Issuing: { status: 'True', reason } });
  };
  const goOn = async (certificate: Certificate) => {
    const { namespace = '', name } = certificate.metadata;
    const requests = stores.certificateRequests.byIndex('certificate', indexKey(namespace, name));
    const since = Date.parse(findCondition(certificate.status?.conditions, 'Issuing')?.lastTransitionTime ?? '');
    const current = requests.find((request) => isOf(request, since));
    if (!current) {
      for (const old of requests) await cluster.remove(CertificateRequestKind, objectKeyOf(old));
      return ask(certificate);
    }
    const ready = findCondition(current.status?.conditions, 'Ready');
    if (isTrue(ready)) return issued(certificate, current);
    if (ready?.reason === 'Failed') return failed(certificate, ready.message ?? '');
  };
  const ask = (certificate: Certificate) => {
    const { name, namespace = '', uid = '' } = certificate.metadata;
    made += 1;
    objects.put({
      apiVersion: CertificateRequestKind.apiVersion,
      kind: CertificateRequestKind.kind,
      metadata: {
        name: `${name}-${made}`,
        namespace,
        annotations: { [certificateNameAnnotation]: name },
        ownerReferences: [{ apiVersion: certificate.apiVersion, kind: 'Certificate', name, uid, controller: true }],
      },
      spec: {
        issuerRef: certificate.spec.issuerRef,
        request: unsignedRequest(certificate.spec.dnsNames?.[0] ?? ''),
      },
    });
  };
  const issued = async (certificate: Certificate, request: CertificateRequest) => {
    const ends = validityOf(request);
    if (!ends) throw new Error(`a certificate of ${request.metadata.name} that nobody issued`);
    const { lastFailureTime: _, failedIssuanceAttempts: __, ...status } = certificate.status ?? {};
    const [notBefore, notAfter] = [timestamp(ends.notBefore), timestamp(ends.notAfter)];
    const renewed = { ...certificate, status: { ...status, notBefore, notAfter } };
    await write(renewed, { Ready: { status: 'True', reason: 'Ready' }, Issuing: null });
  };
  const failed = async (certificate: Certificate, message: string) => {
    const { status = {} } = certificate;
    const failedIssuanceAttempts = (status.failedIssuanceAttempts ?? 0) + 1;
    const after = { ...status, failedIssuanceAttempts, lastFailureTime: timestamp(time.now()) };
    await write({ ...certificate, status: after }, { Issuing: { status: 'False', reason: 'Failed', message } });
  };
  const write = async (certificate: Certificate, changes: Readonly<Record<string, Change>>) => {
    const others = (certificate.status?.conditions ?? []).filter(({ type }) => !(type in changes));
    const lastTransitionTime = timestamp(time.now());
    const changed = Object.entries(changes).flatMap(([type, change]) =>
      change === null ? [] : [{ type, message: '', ...change, lastTransitionTime }],
    );
    const status = { ...certificate.status, conditions: [...others, ...changed] };
    await cluster.replaceStatus(CertificateKind, { ...certificate, status } as Certificate);
  };

  stores.certificates.subscribe(({ type, object }) => {
    if (type !== 'deleted') soon(queueKey(objectKeyOf(object)));
  });
  stores.certificateRequests.subscribe(({ object: { metadata } }) =>
    soon(indexKey(metadata.namespace ?? '', metadata.annotations?.[certificateNameAnnotation] ?? '')),
  );
}

type Change = { readonly status: 'True' | 'False'; readonly reason: string; readonly message?: string } | null;

/** An issuance goes on with a request that has not ended before it began. */
function isOf({ metadata, status }: CertificateRequest, since: number): boolean {
  const ready = findCondition(status?.conditions, 'Ready');
  if (isTrue(ready)) return Date.parse(metadata.creationTimestamp ?? '') >= since;
  return status?.failureTime === undefined || Date.parse(status.failureTime) >= since;
}

function nextIssuance({ spec, status = {} }: Certificate, now: number): number {
  const { notBefore = '', notAfter = '', lastFailureTime, failedIssuanceAttempts = 1 } = status;
  const share = (spec as { readonly renewBeforePercentage?: number }).renewBeforePercentage ?? 100 / 3;
  const [begins, ends] = [Date.parse(notBefore), Date.parse(notAfter)];
  const due = Number.isNaN(ends) ? now : ends - (ends - begins) * (share / 100);
  const pause = Math.min(longestPause, firstPause * 2 ** (failedIssuanceAttempts - 1));
  return Math.max(due, lastFailureTime === undefined ? 0 : Date.parse(lastFailureTime) + pause);
}
