import type { IncomingMessage } from 'node:http';
import { Problem } from '../use-cases/problem.ts';

/** Why a request is refused whatever it asks for; null where it is not. */
export function faultOfHead({ headers, httpVersion }: IncomingMessage): Problem | null {
  // RFC 9112 section 3.2
  if (headers.host === undefined && httpVersion === '1.1')
    return new Problem('malformed-request', 'send a Host header, as HTTP/1.1 requires');
  // RFC 9110 section 10.1.1
  const { expect } = headers;
  if (expect === undefined || expect.toLowerCase() === '100-continue') return null;
  return new Problem('expectation-failed', 'no expectation but 100-continue is met');
}
