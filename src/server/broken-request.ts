import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { randomUUID } from 'node:crypto';
import { quotaHeaders } from '../quota/quota-port.ts';
import { addressQuota, refusal } from '../use-cases/quota-admission.ts';
import type { ClientAddress } from './client-address.ts';
import { Problem } from '../use-cases/problem.ts';
import type { ApiDependencies } from '../use-cases/api-dependencies.ts';

/**
 * Responds to input that express never sees, as it is not valid HTTP or its headers are too large: spends the address's
 * budget, sends the usual quota headers and closes the connection.
 */
export function answerBroken(dependencies: ApiDependencies, address: ClientAddress) {
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const { remoteAddress } = socket as { remoteAddress?: string };
    void answer(dependencies, address(remoteAddress, undefined), error).then((text) => socket.end(text));
  };
}

async function answer(
  dependencies: ApiDependencies,
  address: string,
  { code }: NodeJS.ErrnoException,
): Promise<string> {
  const decision = await addressQuota(dependencies, address);
  const broken =
    code === 'HPE_HEADER_OVERFLOW'
      ? new Problem('headers-too-large', 'the headers may be at most 16 KiB')
      : new Problem('malformed-request', 'this is not HTTP/1.1');
  const problem = refusal(decision) ?? broken;
  const requestId = randomUUID();
  const body = JSON.stringify(problem.document(requestId));
  const headers = {
    ...quotaHeaders(decision),
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-request-id': requestId,
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}\r\n${lines.join('')}\r\n${body}`;
}
