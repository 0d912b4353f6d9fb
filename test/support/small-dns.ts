import { createSocket } from 'node:dgram';
import type { Answer } from 'dns-packet';
import { AUTHORITATIVE_ANSWER, decode, encode } from 'dns-packet';

/** What a name server says to a name; null for silence. */
export type Say = (name: string, type: string) => SmallReply | null;

export interface SmallReply {
  readonly authoritative: boolean;
  readonly nxdomain?: boolean;
  readonly answers?: readonly Answer[];
  readonly authorities?: readonly Answer[];
  readonly additionals?: readonly Answer[];
}

/** A name server over UDP at an address of loopback; resolves to the function that ends it. */
export async function startSmallDns(address: string, say: Say): Promise<() => Promise<void>> {
  const socket = createSocket('udp4');
  socket.on('message', (bytes, from) => {
    const query = decode(bytes);
    const question = query.questions?.[0];
    const reply = question && say(question.name.toLowerCase(), question.type);
    if (!question || !reply) return;
    const flags = (reply.authoritative ? AUTHORITATIVE_ANSWER : 0) | (reply.nxdomain ? 3 : 0);
    const { answers = [], authorities = [], additionals = [] } = reply;
    const packet = encode({
      type: 'response',
      id: query.id ?? 0,
      flags,
      questions: [question],
      answers: [...answers],
      authorities: [...authorities],
      additionals: [...additionals],
    });
    socket.send(packet, from.port, from.address);
  });
  await new Promise<void>((done, fail) => socket.once('error', fail).bind(53, address, done));
  return () => new Promise((done) => socket.close(() => done()));
}

/** A referral to one server of a zone, with its address. */
export const referral = (zone: string, address: string): SmallReply => ({
  authoritative: false,
  authorities: [{ type: 'NS', name: zone, ttl: 60, data: `ns.${zone}` }],
  additionals: [{ type: 'A', name: `ns.${zone}`, ttl: 60, data: address }],
});
