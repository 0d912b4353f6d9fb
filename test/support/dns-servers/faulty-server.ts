import { createSocket } from 'node:dgram';
import type { Socket } from 'node:dgram';
import { connect, createServer } from 'node:net';
import type { Socket as TcpSocket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { rcodes } from './scripted-reply.ts';
import { codeReply, nameOf, questionEnd, scriptedReply, typeOf } from './scripted-reply.ts';

/** What a server does to a question instead of answering it. */
type QuestionFault = 'silence' | keyof typeof rcodes;

/** What is wrong with a server that otherwise says what the real one behind it says. */
export interface Faults {
  /** by type of the question, such as `NS`; `*` for all others */
  readonly types?: Readonly<Record<string, QuestionFault>>;
  /** questions with EDNS */
  readonly edns?: QuestionFault;
  /** FORMERR and other codes come as a header alone */
  readonly bare?: boolean;
  /** by question, such as `www.{label} A`: the records of the answer, without their owner */
  readonly says?: Readonly<Record<string, readonly string[]>>;
  /** so many datagrams of each question are lost before one gets through */
  readonly losesFirst?: number;
  /** each second datagram is lost, whatever it asks */
  readonly losesEverySecond?: boolean;
  readonly delayMs?: number;
  /** AA is taken out of every answer, or of those to these types of question */
  readonly lame?: boolean | readonly string[];
  /** answers over UDP are cut to nothing with TC set, or only get TC set */
  readonly truncates?: boolean | 'partly';
  /** the answer comes over UDP whatever its size */
  readonly oversize?: boolean;
  /** what becomes of questions over TCP: `half` closes within the answer */
  readonly tcp?: 'refused' | 'silence' | 'closes' | 'half';
  /** the question comes back in lower case */
  readonly foldsCase?: boolean;
  /** a forged datagram with another id goes before each answer */
  readonly strays?: boolean;
  /** every answer is sent twice */
  readonly repeats?: boolean;
  /** the answer comes from this address, or with `port` from another port */
  readonly answersFrom?: string;
  /** what becomes of the datagram */
  readonly sends?: keyof typeof distortions;
}

/** A server at port 53 of `address` in front of a real one at port 53 of `behind`. Resolves to the function that stops it. */
export async function startFaultyServer(address: string, behind: string, faults: Faults): Promise<() => Promise<void>> {
  const loses = losing(faults);
  const udp = createSocket('udp4');
  const out = faults.answersFrom === undefined ? udp : createSocket('udp4');
  udp.on('message', (query, from) => {
    if (loses(query, from.address)) return;
    void answered(query, behind, faults).then((replies) => {
      for (const reply of replies) out.send(reply, from.port, from.address);
    });
  });
  await bound(udp, 53, address);
  if (out !== udp) await bound(out, 0, faults.answersFrom === 'port' ? address : (faults.answersFrom ?? address));
  const stopTcp = faults.tcp === 'refused' ? null : await startTcp(address, behind, faults);
  return async () => {
    await Promise.all([udp, ...(out === udp ? [] : [out])].map(closed));
    await stopTcp?.();
  };
}

const closed = (socket: Socket): Promise<void> => new Promise((done) => void socket.close(() => done()));

const bound = (socket: Socket, port: number, address: string): Promise<void> =>
  new Promise((done, fail) => void socket.once('error', fail).bind(port, address, done));

function losing({ losesFirst = 0, losesEverySecond = false }: Faults): (query: Buffer, from: string) => boolean {
  const seen = new Map<string, number>();
  let total = 0;
  return (query, from) => {
    const key = questionKey(query, from);
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    total += 1;
    return count <= losesFirst || (losesEverySecond && total % 2 === 1);
  };
}

/** Resolves to the function that closes the server and its connections. */
async function startTcp(address: string, behind: string, { tcp }: Faults): Promise<() => Promise<void>> {
  const open = new Set<TcpSocket>();
  const server = createServer((socket) => {
    open.add(socket.on('error', () => undefined).on('close', () => open.delete(socket)));
    if (tcp === 'silence') return;
    if (tcp === 'closes') return void socket.end();
    const upstream = connect(53, behind).on('error', () => socket.destroy());
    if (tcp === 'half') upstream.on('data', (answer) => socket.end(answer.subarray(0, 20)));
    else upstream.pipe(socket);
    socket.on('close', () => upstream.destroy()).pipe(upstream);
  });
  await new Promise<void>((done, fail) => server.once('error', fail).listen(53, address, done));
  return () => {
    for (const socket of open) socket.destroy();
    return new Promise((done) => server.close(() => done()));
  };
}

async function answered(query: Buffer, behind: string, faults: Faults): Promise<readonly Buffer[]> {
  await sleep(faults.delayMs ?? 0);
  const fault = faultOf(query, faults);
  if (fault === 'silence') return [];
  if (fault !== undefined) return [faults.bare ? distortions.header(codeReply(query, fault)) : codeReply(query, fault)];
  const lines = faults.says?.[`${nameOf(query)} ${typeOf(query)}`];
  const reply = lines ? scriptedReply(query, lines) : await forward(query, behind, faults);
  if (reply === null) return [];
  const sent = distorted(reply, query, faults);
  if (faults.strays) return [withOtherId(sent), sent];
  return faults.repeats ? [sent, sent] : [sent];
}

function distorted(reply: Buffer, query: Buffer, faults: Faults): Buffer {
  const { lame = false, foldsCase = false, truncates = false, sends } = faults;
  if (lame === true || (lame !== false && lame.includes(typeOf(query))))
    reply.writeUInt16BE(reply.readUInt16BE(2) & ~0x0400, 2);
  if (foldsCase) foldCase(reply);
  if (truncates === 'partly') reply.writeUInt16BE(reply.readUInt16BE(2) | 0x0200, 2);
  const whole = truncates === true ? truncated(reply) : reply;
  return sends ? distortions[sends](whole) : whole;
}

/** Ways to send an answer that nobody can use. */
const distortions = {
  /** the question is about another name */
  'another question': (reply: Buffer) => withByte(reply, 13, (byte) => byte ^ 1),
  /** the question is about another type */
  'another type': (reply: Buffer) => withByte(reply, questionEnd(reply) - 3, (byte) => byte ^ 2),
  /** the question is of class CH */
  'another class': (reply: Buffer) => withByte(reply, questionEnd(reply) - 1, () => 3),
  /** QR is not set: the datagram is a query */
  'a query': (reply: Buffer) => withByte(reply, 2, (byte) => byte & 0x7f),
  'another opcode': (reply: Buffer) => withByte(reply, 2, (byte) => byte | 0x20),
  /** it ends within a record */
  'half of it': (reply: Buffer) => reply.subarray(0, Math.max(questionEnd(reply), reply.length - 20)),
  /** a name that points to itself */
  'a loop of pointers': (reply: Buffer) => {
    const looping = Buffer.concat([reply.subarray(0, questionEnd(reply)), Buffer.from([0xc0, questionEnd(reply)])]);
    looping.writeUInt16BE(1, 6);
    return looping;
  },
  header: (reply: Buffer) => {
    const header = Buffer.from(reply.subarray(0, 12));
    for (const count of [4, 6, 8, 10]) header.writeUInt16BE(0, count);
    return header;
  },
  nothing: () => Buffer.alloc(0),
  'bytes after its end': (reply: Buffer) => Buffer.concat([reply, Buffer.from('more')]),
} as const;

function withByte(message: Buffer, at: number, change: (byte: number) => number): Buffer {
  const changed = Buffer.from(message);
  changed[at] = change(changed[at] ?? 0);
  return changed;
}

function faultOf(query: Buffer, { edns, types }: Faults): QuestionFault | undefined {
  if (edns !== undefined && hasEdns(query)) return edns;
  return types?.[typeOf(query)] ?? types?.['*'];
}

function forward(query: Buffer, behind: string, { oversize = false }: Faults): Promise<Buffer | null> {
  return oversize ? overTcp(query, behind) : overUdp(query, behind);
}

const overUdp = (query: Buffer, behind: string): Promise<Buffer | null> =>
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

const overTcp = (query: Buffer, behind: string): Promise<Buffer | null> =>
  new Promise((resolve) => {
    const received: Buffer[] = [];
    const socket = connect(53, behind).on('error', () => resolve(null));
    socket.write(Buffer.concat([Buffer.from([query.length >> 8, query.length & 0xff]), query]));
    socket.on('data', (chunk) => {
      received.push(chunk);
      const all = Buffer.concat(received);
      if (all.length < 2 || all.length < all.readUInt16BE(0) + 2) return;
      socket.destroy();
      resolve(Buffer.from(all.subarray(2)));
    });
  });

const hasEdns = (query: Buffer): boolean => query.readUInt16BE(10) > 0;

/** The question regardless of case, and who asks: every try of it has the same key. */
const questionKey = (query: Buffer, from: string): string => `${from} ${nameOf(query)} ${typeOf(query)}`;

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
