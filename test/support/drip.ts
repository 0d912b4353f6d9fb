import type { Writable } from 'node:stream';

/** Sends the same again and again, this long apart, until the other side has had enough. */
export function drip(to: Writable, what: string | Buffer, everyMs: number): void {
  const timer = setInterval(() => to.write(what), everyMs);
  to.on('close', () => clearInterval(timer)).on('error', () => undefined);
}
