import type { IncomingMessage } from 'node:http';
import { Problem } from '../use-cases/problem.ts';

/** The largest body of a request, in KiB. */
export const bodyLimitKiB = 64;

/** The same of a call with many items, 260 bytes for each of a thousand: lists within lists of that size are parsed in some 20 ms. */
export const bulkBodyLimitKiB = 256;

/** Whoever announced a body that nobody reads would be waited for (RFC 9112 section 9.6). */
const last = { headers: { connection: 'close' } } as const;

/** For a body that is larger than `limitKiB`: announced, or sent without saying so. The last answer of its connection. */
export const tooLarge = (limitKiB: number): Problem =>
  new Problem('payload-too-large', `the body may be at most ${limitKiB} KiB`, last);

/** Throws payload-too-large for a body that is announced to be larger than that, before any of it is read. */
export function refuseAnnounced({ headers }: IncomingMessage, limitKiB: number): void {
  if (Number(headers['content-length'] ?? 0) > limitKiB * 1_024) throw tooLarge(limitKiB);
}

/** Why a request, whose body may be so large, is refused whatever it asks for; null where it is not. */
export function faultOfHead(request: IncomingMessage, limitKiB: number): Problem | null {
  const { headers, httpVersionMajor } = request;
  if (httpVersionMajor !== 1) return new Problem('malformed-request', 'this is not HTTP/1.1', last);
  return faultOfHost(request) ?? faultOfExpectation(headers.expect) ?? faultOfBody(request, limitKiB);
}

/** A name or an address, and a port (RFC 9110 section 7.2): what stands in a URL, and nothing else. It may be empty. */
const hostForm = /^(?:\[[0-9a-fA-F:.]{2,45}\]|[A-Za-z0-9._~!$&'()*+,;=%-]{0,255})(?::\d{0,5})?$/;

/** RFC 9112 section 3.2 */
function faultOfHost({ headers, httpVersion, rawHeaders }: IncomingMessage): Problem | null {
  if (headers.host === undefined)
    return httpVersion === '1.1' ? new Problem('malformed-request', 'send a Host header, as HTTP/1.1 requires') : null;
  if (!hostForm.test(headers.host))
    return new Problem('malformed-request', 'the Host header is no name of a host', last);
  const isRepeated = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1;
  return isRepeated ? new Problem('malformed-request', 'send one Host header', last) : null;
}

/** RFC 9110 section 10.1.1 */
function faultOfExpectation(expect: string | undefined): Problem | null {
  if (expect === undefined || expect.toLowerCase() === '100-continue') return null;
  return new Problem('expectation-failed', 'no expectation but 100-continue is met');
}

function faultOfBody({ headers }: IncomingMessage, limitKiB: number): Problem | null {
  const coding = headers['transfer-encoding'];
  // RFC 9112 section 6.1: a coding inside the chunks would have to be undone.
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked')
    return new Problem('malformed-request', 'no Transfer-Encoding but chunked is understood', last);
  return Number(headers['content-length'] ?? 0) > limitKiB * 1_024 ? tooLarge(limitKiB) : null;
}
