import type { IncomingMessage } from 'node:http';
import { tooLarge } from './head-fault.ts';

/**
 * Reads a body by one of Express' parsers, and rejects with payload-too-large as soon as more has come than is allowed: the parsers read on to
 * the end before they say so, and a client that announced no length need not end. Rejects with the parser's error otherwise.
 */
export function readWithin<T>(request: IncomingMessage, limitKiB: number, read: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let received = 0;
    const count = (chunk: Buffer) => {
      received += chunk.length;
      if (received > limitKiB * 1_024) reject(tooLarge(limitKiB));
    };
    read()
      .then(resolve, reject)
      .finally(() => request.off('data', count));
    request.on('data', count);
  });
}
