import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import type { UnknownCause } from '../model/dns-facts.ts';
import type { Endpoint } from './endpoint.ts';
import type { Question, Response } from './message.ts';
import { decodeResponse, encodeQuestion } from './message.ts';

/** One question to one server: its response, or why there is none. Never rejects. */
export type Exchange = (server: Endpoint, question: Question, signal: AbortSignal) => Promise<Response | UnknownCause>;

const datagramTimeoutMs = 1_000;
const streamTimeoutMs = 2_000;
const maxStreamBytes = 65_537;

/** UDP from a fresh socket (so a random source port) each time, and TCP where the answer was cut short (RFC 7766). */
export const exchange: Exchange = async (server, question, signal) => {
  const first = await overUdp(server, question, AbortSignal.any([signal, AbortSignal.timeout(datagramTimeoutMs)]));
  if (typeof first === 'string' || !first.truncated) return first;
  return overTcp(server, question, AbortSignal.any([signal, AbortSignal.timeout(streamTimeoutMs)]));
};

function overUdp(server: Endpoint, question: Question, signal: AbortSignal): Promise<Response | UnknownCause> {
  return new Promise((resolve) => {
    const { id, bytes } = encodeQuestion(question);
    const socket = createSocket(isIPv6(server.address) ? 'udp6' : 'udp4');
    const end = (outcome: Response | UnknownCause) => {
      signal.removeEventListener('abort', onAbort);
      socket
        .removeAllListeners()
        .on('error', () => undefined)
        .close();
      resolve(outcome);
    };
    const onAbort = () => end('timeout');
    if (signal.aborted) return end('timeout');
    signal.addEventListener('abort', onAbort, { once: true });
    socket.on('error', () => end('unreachable'));
    socket.on('message', (message) => {
      const response = decodeResponse(message, id, question);
      if (response) end(response);
    });
    socket.connect(server.port, server.address, () => socket.send(bytes));
  });
}

function overTcp(server: Endpoint, question: Question, signal: AbortSignal): Promise<Response | UnknownCause> {
  return new Promise((resolve) => {
    const { id, bytes } = encodeQuestion(question);
    const socket = connect({ host: server.address, port: server.port, signal });
    let received = Buffer.alloc(0);
    const end = (outcome: Response | UnknownCause) => {
      socket
        .removeAllListeners()
        .on('error', () => undefined)
        .destroy();
      resolve(outcome);
    };
    socket.on('error', () => end(signal.aborted ? 'timeout' : 'unreachable'));
    socket.on('close', () => end('malformed'));
    socket.on('connect', () => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(bytes.length);
      socket.write(Buffer.concat([length, bytes]));
    });
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (received.length > maxStreamBytes) return end('malformed');
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
      end(decodeResponse(received.subarray(2, 2 + received.readUInt16BE(0)), id, question) ?? 'malformed');
    });
  });
}
