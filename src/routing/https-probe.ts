import { request as httpsRequest } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { X509Certificate } from 'node:crypto';
import type { SecureContext, TLSSocket } from 'node:tls';
import { createSecureContext } from 'node:tls';

/** The answer that a hostname must give to count as routed. */
export interface ProbeRequest {
  readonly hostname: string;
  /** `status.notAfter` of the Certificate, RFC 3339: distinguishes the current certificate from an older one */
  readonly notAfter: string;
  /** SHA-256 (hexadecimal) of a certificate of the customer's own: it is compared instead, whoever issued it */
  readonly fingerprint?: string;
  /** of certificates whose issuer and end are not known: whether one is another's, by its SHA-256 (hexadecimal). All others are as expected */
  readonly isForeign?: (fingerprint: string) => boolean;
  /** routing classes whose edges are to answer; absent: every one */
  readonly classes?: readonly string[];
}

export type ProbeResult =
  | ({ readonly ok: true } & Shown)
  /** `detail` is for people and contains no secret */
  | ({
      readonly ok: false;
      readonly code: 'Unreachable' | 'WrongCertificate' | 'Untrusted' | 'NoAnswer';
      readonly detail: string;
      /** the certificate is none of the hostname's, whichever of its own was expected; absent where none was seen */
      readonly isForeign?: boolean;
    } & Shown);

/** Whether the edge showed a certificate of the hostname's own, whatever it answered then: its application may be down. */
export const showsOwn = (probe: ProbeResult | null): boolean =>
  probe !== null && (probe.ok || probe.isForeign === false);

interface Shown {
  /** DER; the expected certificate, where it was asked for by its fingerprint */
  readonly certificate?: Buffer;
}

/** Requests a hostname from the ingress over HTTPS, as a browser would, but follows no redirects. Never rejects. */
export interface Probe {
  ask(request: ProbeRequest, signal: AbortSignal): Promise<ProbeResult>;
}

export interface ProbeOptions {
  /** where the ingress listens */
  readonly address: string;
  readonly port: number;
  /** PEM roots to trust instead of the system's */
  readonly ca: string | null;
}

const deadlineMs = 5_000;

/** Status codes of the ingress itself while it has no route or no backend yet. */
const notReady = new Set([502, 503, 504]);

/**
 * Probes the ingress by address, with the hostname in SNI and Host: DNS plays no part in it. `late` aborts when an answer has taken too
 * long.
 */
export function createHttpsProbe(
  { address, port, ca }: ProbeOptions,
  late = () => AbortSignal.timeout(deadlineMs),
): Probe {
  // Roots are read once: with each probe anew they cost as much as the handshake.
  const edge = { host: address, port, secureContext: createSecureContext(ca === null ? {} : { ca }) };
  return {
    ask: (request, signal) => ask(edge, request, AbortSignal.any([signal, late()])),
  };
}

interface Edge {
  readonly host: string;
  readonly port: number;
  readonly secureContext: SecureContext;
}

function ask(edge: Edge, expected: ProbeRequest, signal: AbortSignal): Promise<ProbeResult> {
  const { hostname } = expected;
  return new Promise((resolve) => {
    const request = httpsRequest({
      ...edge,
      servername: hostname,
      headers: { host: hostname, 'user-agent': 'projectdomain-probe' },
      method: 'HEAD',
      path: '/',
      agent: false,
      signal,
      rejectUnauthorized: expected.fingerprint === undefined && expected.isForeign === undefined,
    });
    request.on('response', (response) => resolve(resultOf(response, expected)));
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ ok: false, code: 'NoAnswer', detail: `answered with status ${response.statusCode}` });
    });
    request.on('error', (error: NodeJS.ErrnoException) => resolve(failed(error)));
    // However else the exchange ends, the promise must resolve; no effect when it already has.
    request.on('close', () => resolve({ ok: false, code: 'Unreachable', detail: 'the connection ended' }));
    request.end();
  });
}

function resultOf(response: IncomingMessage, expected: ProbeRequest): ProbeResult {
  const certificate = (response.socket as TLSSocket).getPeerX509Certificate();
  response.destroy();
  if (!certificate) return { ok: false, code: 'Untrusted', detail: 'the ingress showed no certificate' };
  if (!isExpected(certificate, expected)) {
    return {
      ok: false,
      code: 'WrongCertificate',
      detail: `answered with a certificate valid to ${certificate.validTo}`,
      isForeign: (expected.fingerprint ?? expected.isForeign) !== undefined,
    };
  }
  const shown = expected.fingerprint === undefined ? {} : { certificate: certificate.raw };
  const status = response.statusCode ?? 0;
  return notReady.has(status)
    ? { ok: false, code: 'NoAnswer', detail: `answered with status ${status}`, isForeign: false, ...shown }
    : { ok: true, ...shown };
}

function isExpected(served: X509Certificate, { notAfter, fingerprint, isForeign }: ProbeRequest): boolean {
  const shown = served.fingerprint256.replaceAll(':', '').toLowerCase();
  if (isForeign) return !isForeign(shown);
  if (fingerprint === undefined) return Date.parse(served.validTo) === Date.parse(notAfter);
  return shown === fingerprint;
}

/** Tells TLS errors of a wrong or untrusted certificate from all others, which count as unreachable. */
function failed(error: NodeJS.ErrnoException): ProbeResult {
  const code = error.code ?? error.name;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const detail = 'the ingress answered with another name’s certificate';
    return { ok: false, code: 'WrongCertificate', detail, isForeign: true };
  }
  const untrusted = /CERT|SIGNATURE|ISSUER|SELF_SIGNED/.test(code);
  if (!untrusted) return { ok: false, code: 'Unreachable', detail: code };
  const detail = unknownRoot.has(code) ? `${strangeAuthority} (${code})` : code;
  return { ok: false, code: 'Untrusted', detail, isForeign: code !== 'CERT_HAS_EXPIRED' };
}

/** OpenSSL's words for a chain whose root is not among those that are trusted here. */
const unknownRoot: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
const strangeAuthority =
  'the ingress shows a certificate of an authority that the platform’s probe does not trust; if that authority is the issuer’s, the platform has to put its root into probe.caConfigMap';

/** An edge's probe. */
export interface EdgeProbe {
  /** for people: the class of the edge */
  readonly edge: string;
  readonly probe: Probe;
}

/**
 * Asks every edge that serves the hostname: it answers once it does at each of them. Of several that do not, one is told of: that which shows another's
 * certificate before one that shows none, and that before one whose application is down.
 */
export function probeEdges(edges: readonly EdgeProbe[]): Probe {
  return {
    async ask(request, signal) {
      const asked = edges.filter(({ edge }) => request.classes?.includes(edge) ?? true);
      const results = await Promise.all(
        asked.map(async ({ edge, probe }) => ({ edge, result: await probe.ask(request, signal) })),
      );
      const failed = results.flatMap(({ edge, result }) => (result.ok ? [] : [{ edge, result }]));
      const [told] = failed.toSorted((one, other) => rank(one.result) - rank(other.result));
      if (told === undefined) return results[0]?.result ?? { ok: true };
      return edges.length === 1 ? told.result : { ...told.result, detail: `${told.edge}: ${told.result.detail}` };
    },
  };
}

const rank = ({ isForeign }: Extract<ProbeResult, { readonly ok: false }>): number =>
  isForeign === true ? 0 : isForeign === undefined ? 1 : 2;
