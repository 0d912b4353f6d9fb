import { connect } from 'node:net';
import type { Endpoint } from '../lookup/dns-endpoint.ts';
import { createFrame, framed } from '../lookup/stream-frame.ts';

const deadlineMs = 5_000;
/** An answer to an update has no records but a signature. */
const longestAnswer = 4_096;

/** Sends one message over TCP and resolves to the first one that comes back. Rejects after five seconds, and where nothing comes. */
export function streamRequest({ address, port }: Endpoint, message: Buffer): Promise<Buffer> {
  const signal = AbortSignal.timeout(deadlineMs);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, signal });
    const frame = createFrame((length) => length <= longestAnswer);
    const end = (outcome: Buffer | Error) => {
      socket
        .removeAllListeners()
        .on('error', () => undefined)
        .destroy();
      if (Buffer.isBuffer(outcome)) resolve(outcome);
      else reject(outcome);
    };
    socket.on('error', (error) => end(signal.aborted ? new Error('no answer within five seconds') : error));
    socket.on('close', () => end(new Error('the connection was closed without an answer')));
    socket.on('connect', () => socket.write(framed(message)));
    socket.on('data', (chunk: Buffer) => {
      const whole = frame.take(chunk);
      if (whole === 'too-long') return end(new Error('an answer that is too long'));
      if (whole) end(whole);
    });
  });
}
