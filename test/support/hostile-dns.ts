import { createSocket } from 'node:dgram';
import type { Socket as UdpSocket } from 'node:dgram';
import { createServer } from 'node:net';
import type { Server as TcpServer, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from 'dns-packet';
import { AUTHORITATIVE_ANSWER, decode, encode, TRUNCATED_RESPONSE } from 'dns-packet';
import type { DnsFacts } from '../../src/dns/dns-facts.ts';
import { createDnsChecker } from '../../src/dns/lookup/dns-checker.ts';
import { evaluateDns } from '../../src/dns/verdict/evaluate-dns.ts';
import type { DesiredDns } from '../../src/dns/verdict/dns-verdict.ts';

/** A question as a scripted server sees it; the name in lower case. */
interface Asked {
  readonly name: string;
  readonly type: string;
  readonly overTcp: boolean;
}

/** What a scripted server says; null is silence. */
export interface Said {
  readonly rcode?: number;
  readonly authoritative?: boolean;
  readonly truncated?: boolean;
  readonly answers?: readonly Answer[];
  readonly authorities?: readonly Answer[];
  readonly additionals?: readonly Answer[];
  /** the last word over the bytes: several are sent as several datagrams */
  readonly bytes?: (response: Buffer, query: Buffer) => readonly Buffer[];
  /** over TCP: bytes at a time, a millisecond apart */
  readonly drip?: number;
}

export type Script = (asked: Asked) => Said | null;

export const hostname = 'www.example.com';
export const target = 'p-mine.cname.apps.example.net';
export const txtName = `_projectdomain-challenge.${hostname}`;
export const txtValue = 'projectdomain-verify=right';

export const wanted: DesiredDns = {
  hostname,
  target,
  cnameDomain: 'cname.apps.example.net',
  platformDomains: ['apps.example.net'],
  platformAddresses: ['203.0.113.10'],
  txt: { name: txtName, value: txtValue },
  txtRequired: false,
  ca: { domains: ['ca.test'], accountUri: null, method: null, caaProfile: 'strict' },
};

export const a = (name: string, data: string): Answer => ({ type: 'A', name, ttl: 60, data });
export const aaaa = (name: string, data: string): Answer => ({ type: 'AAAA', name, ttl: 60, data });
export const cname = (name: string, data: string): Answer => ({ type: 'CNAME', name, ttl: 60, data });
export const ns = (name: string, data: string): Answer => ({ type: 'NS', name, ttl: 60, data });
export const txt = (name: string, data: string | Buffer): Answer => ({ type: 'TXT', name, ttl: 60, data });
export const caa = (name: string, value: string): Answer => ({
  type: 'CAA',
  name,
  ttl: 60,
  data: { flags: 0, tag: 'issue', value },
});

/** Name servers on loopback, each at an address of its own and all at one port. The first one is the root. */
export interface HostileDns {
  /** dotted address of the server with this number */
  readonly at: (number: number) => string;
  /** Packets that each server got, by number. */
  readonly packets: readonly number[];
  /** One check by the operator's own rooms, judged. */
  look(
    changes?: Partial<DesiredDns>,
  ): Promise<ReturnType<typeof evaluateDns> & { readonly asked: number; readonly facts: DnsFacts }>;
  stop(): Promise<void>;
}

export async function hostileDns(scripts: (at: (number: number) => string) => readonly Script[]): Promise<HostileDns> {
  const net = `127.${90 + (process.pid % 100)}.${Math.floor(Math.random() * 250)}`;
  const at = (number: number) => `${net}.${number + 1}`;
  const all = scripts(at);
  const packets = all.map(() => 0);
  const sockets: { close: () => Promise<void> }[] = [];
  let port = 0;
  for (const [number, script] of all.entries()) {
    const count = () => void (packets[number] = (packets[number] ?? 0) + 1);
    const server = await serve({ address: at(number), port, script, count });
    port = server.port;
    sockets.push(server);
  }
  const dns = createDnsChecker({ roots: [{ address: at(0), port }], resolvers: [], permitted: ['127.0.0.0/8'] });
  return {
    at,
    packets,
    async look(changes = {}) {
      const yardstick = { ...wanted, ...changes };
      const request = {
        hostname: yardstick.hostname,
        target,
        txtName,
        txtRequired: yardstick.txtRequired,
        caa: yardstick.ca !== null,
      };
      const facts = await dns.check(request, new AbortController().signal);
      return { ...evaluateDns(facts, yardstick), asked: facts.asked.length, facts };
    },
    stop: async () => void (await Promise.all(sockets.map((socket) => socket.close()))),
  };
}

interface Served {
  readonly address: string;
  readonly port: number;
  readonly script: Script;
  readonly count: () => void;
}

async function serve({ address, port, script, count }: Served) {
  const udp = createSocket('udp4');
  await new Promise<void>((done, fail) => udp.once('error', fail).bind(port, address, done));
  const own = udp.address().port;
  const open = new Set<Socket>();
  const tcp = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket));
    socket.on('data', (chunk: Buffer) => void answerStream(socket, chunk.subarray(2), script, count));
  });
  await new Promise<void>((done, fail) => tcp.once('error', fail).listen(own, address, done));
  udp.on('message', (query, from) => {
    count();
    for (const bytes of response(script, query, false)?.messages ?? []) udp.send(bytes, from.port, from.address);
  });
  return { port: own, close: () => close(udp, tcp, open) };
}

async function close(udp: UdpSocket, tcp: TcpServer, open: ReadonlySet<Socket>): Promise<void> {
  for (const socket of open) socket.destroy();
  await Promise.all([new Promise<void>((done) => udp.close(() => done())), new Promise((done) => tcp.close(done))]);
}

async function answerStream(socket: Socket, query: Buffer, script: Script, count: () => void): Promise<void> {
  count();
  const { messages = [], drip = 0 } = response(script, query, true) ?? {};
  for (const message of messages) {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(message.length);
    const bytes = Buffer.concat([length, message]);
    const step = drip === 0 ? bytes.length : drip;
    for (let from = 0; from < bytes.length && !socket.destroyed; from += step) {
      socket.write(bytes.subarray(from, from + step));
      if (drip > 0) await sleep(1);
    }
  }
}

function response(script: Script, query: Buffer, overTcp: boolean) {
  const { id, questions = [] } = decode(query);
  const [question] = questions;
  const said = question ? script({ name: question.name.toLowerCase(), type: question.type, overTcp }) : null;
  if (said === null) return null;
  const whole = { ...plain, ...said };
  const message = encode({
    type: 'response',
    id: id ?? 0,
    flags: (whole.authoritative ? AUTHORITATIVE_ANSWER : 0) | (whole.truncated ? TRUNCATED_RESPONSE : 0) | whole.rcode,
    questions,
    answers: [...whole.answers],
    authorities: [...whole.authorities],
    additionals: [...whole.additionals],
  });
  return { messages: whole.bytes(message, query), drip: whole.drip };
}

const plain: Required<Said> = {
  rcode: 0,
  authoritative: true,
  truncated: false,
  answers: [],
  authorities: [],
  additionals: [],
  bytes: (message) => [message],
  drip: 0,
};

/** Delegates each zone to servers by name and address; the rest does not exist. */
export const delegates =
  (zones: Readonly<Record<string, Readonly<Record<string, string>>>>): Script =>
  ({ name }) => {
    const zone = Object.keys(zones).find((apex) => name === apex || name.endsWith(`.${apex}`));
    if (zone === undefined) return { rcode: Object.keys(zones).some((apex) => apex.endsWith(`.${name}`)) ? 0 : 3 };
    const servers = Object.entries(zones[zone] ?? {});
    return {
      authoritative: false,
      authorities: servers.map(([server]) => ns(zone, server)),
      additionals: servers.map(([server, address]) => a(server, address)),
    };
  };

/** Serves records with authority; an alias answers for every type. */
export const serves =
  (records: readonly Answer[]): Script =>
  ({ name, type }) => {
    const found = records.filter((record) => record.name === name);
    const answers = found.filter((record) => record.type === type || record.type === 'CNAME');
    const exists = found.length > 0 || records.some((record) => record.name.endsWith(`.${name}`));
    return { answers, rcode: exists ? 0 : 3 };
  };

/** The platform's own zone: the target and its address. */
export const platformZone: Script = serves([a(target, '203.0.113.10'), ns('apps.example.net', 'ns.apps.example.net')]);
