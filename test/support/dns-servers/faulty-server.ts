import { createSocket } from 'node:dgram';
import type { Socket } from 'node:dgram';
import { connect, createServer } from 'node:net';
import type { Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a server does to a question instead of answering it. */
type QuestionFault = 'silence' | 'FORMERR' | 'SERVFAIL' | 'NOTIMP' | 'REFUSED' | 'BADVERS';

/** What is wrong with a server that otherwise says what the real one behind it says. */
export interface Faults {
  /** by type of the question, such as `NS`; `*` for all others */
  readonly types?: Readonly<Record<string, QuestionFault>>;
  /** questions with EDNS */
  readonly edns?: QuestionFault;
  /** so many datagrams of each question are lost before one gets through */
  readonly losesFirst?: number;
  readonly delayMs?: number;
  /** AA is taken out of every answer */
  readonly lame?: boolean;
  /** answers over UDP are cut to nothing with TC set */
  readonly truncates?: boolean;
  /** what becomes of questions over TCP */
  readonly tcp?: 'refused' | 'silence';
  /** the question comes back in lower case */
  readonly foldsCase?: boolean;
  /** a forged datagram with another id goes before each answer */
  readonly strays?: boolean;
}

const rcodes = { FORMERR: 1, SERVFAIL: 2, NOTIMP: 4, REFUSED: 5, BADVERS: 16 } as const;
const typeNames: Readonly<Record<number, string>> = {
  1: 'A',
  2: 'NS',
  5: 'CNAME',
  6: 'SOA',
  16: 'TXT',
  28: 'AAAA',
  43: 'DS',
  48: 'DNSKEY',
  257: 'CAA',
};

/** A server at port 53 of `address` in front of a real one at port 53 of `behind`. Resolves to the function that stops it. */
export async function startFaultyServer(address: string, behind: string, faults: Faults): Promise<() => Promise<void>> {
  const seen = new Map<string, number>();
  const udp = createSocket('udp4');
  udp.on('message', (query, from) => {
    const key = questionKey(query);
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    if (count <= (faults.losesFirst ?? 0)) return;
    void answered(query, behind, faults).then((replies) => {
      for (const reply of replies) udp.send(faults.truncates ? truncated(reply) : reply, from.port, from.address);
    });
  });
  await new Promise<void>((done, fail) => udp.once('error', fail).bind(53, address, done));
  const tcp = faults.tcp === 'refused' ? null : await startTcp(address, behind, faults);
  return async () => {
    await new Promise<void>((done) => udp.close(() => done()));
    await new Promise<void>((done) => (tcp ? tcp.close(() => done()) : done()));
  };
}

async function startTcp(address: string, behind: string, faults: Faults): Promise<Server> {
  const server = createServer((socket) => {
    socket.unref().on('error', () => undefined);
    if (faults.tcp === 'silence') return;
    const upstream = connect(53, behind).on('error', () => socket.destroy());
    socket.pipe(upstream).pipe(socket);
  });
  await new Promise<void>((done, fail) => server.once('error', fail).listen(53, address, done));
  return server;
}

async function answered(query: Buffer, behind: string, faults: Faults): Promise<readonly Buffer[]> {
  await sleep(faults.delayMs ?? 0);
  const fault = faultOf(query, faults);
  if (fault === 'silence') return [];
  if (fault !== undefined) return [refusal(query, rcodes[fault])];
  const reply = await forward(query, behind);
  if (reply === null) return [];
  if (faults.lame) reply.writeUInt16BE(reply.readUInt16BE(2) & ~0x0400, 2);
  if (faults.foldsCase) foldCase(reply);
  return faults.strays ? [withOtherId(reply), reply] : [reply];
}

function faultOf(query: Buffer, { edns, types }: Faults): QuestionFault | undefined {
  if (edns !== undefined && hasEdns(query)) return edns;
  return types?.[typeNames[query.readUInt16BE(questionEnd(query) - 4)] ?? 'other'] ?? types?.['*'];
}

const forward = (query: Buffer, behind: string): Promise<Buffer | null> =>
  new Promise((resolve) => {
    const socket: Socket = createSocket('udp4');
    const end = (reply: Buffer | null) => {
      clearTimeout(timer);
      socket.removeAllListeners().on('error', () => undefined);
      socket.close();
      resolve(reply);
    };
    const timer = setTimeout(() => end(null), 2_000);
    socket.on('error', () => end(null));
    socket.on('message', (reply) => end(Buffer.from(reply)));
    socket.connect(53, behind, () => socket.send(query));
  });

const hasEdns = (query: Buffer): boolean => query.readUInt16BE(10) > 0;

/** Offset behind the one question. */
function questionEnd(message: Buffer): number {
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) at += length + 1;
  return at + 5;
}

/** The question regardless of case, with its source left out: every try of it has the same key. */
const questionKey = (query: Buffer): string => query.subarray(12, questionEnd(query)).toString('latin1').toLowerCase();

/** The query with QR set and a code; for codes above 15 with the OPT record that carries their upper bits. */
function refusal(query: Buffer, rcode: number): Buffer {
  const question = Buffer.from(query.subarray(0, questionEnd(query)));
  question.writeUInt16BE((query.readUInt16BE(2) & 0x0100) | 0x8000 | (rcode & 0x0f), 2);
  question.writeUInt16BE(0, 6);
  question.writeUInt16BE(0, 8);
  question.writeUInt16BE(rcode > 15 ? 1 : 0, 10);
  if (rcode <= 15) return question;
  return Buffer.concat([question, Buffer.from([0, 0, 41, 0x04, 0xd0, rcode >> 4, 0, 0, 0, 0, 0])]);
}

function truncated(reply: Buffer): Buffer {
  const cut = Buffer.from(reply.subarray(0, questionEnd(reply)));
  cut.writeUInt16BE(reply.readUInt16BE(2) | 0x0200, 2);
  for (const count of [6, 8, 10]) cut.writeUInt16BE(0, count);
  return cut;
}

function withOtherId(reply: Buffer): Buffer {
  const forged = Buffer.from(reply);
  forged.writeUInt16BE(reply.readUInt16BE(0) ^ 1, 0);
  return forged;
}

function foldCase(reply: Buffer): void {
  const end = questionEnd(reply) - 4;
  for (let at = 12; at < end; at += 1) {
    const byte = reply[at] ?? 0;
    if (byte >= 0x41 && byte <= 0x5a) reply[at] = byte | 0x20;
  }
}
