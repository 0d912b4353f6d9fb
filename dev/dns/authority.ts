import { createSocket } from 'node:dgram';
import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Answer, DecodedPacket, OptAnswer, Question } from 'dns-packet';
import {
  AUTHORITATIVE_ANSWER,
  decode,
  encode,
  RECURSION_AVAILABLE,
  RECURSION_DESIRED,
  streamDecode,
  streamEncode,
  TRUNCATED_RESPONSE,
} from 'dns-packet';
import type { Zone } from './master-file.ts';
import { nameServer, parseZone } from './master-file.ts';
import type { Reply } from './zones.ts';
import { askServer } from './ask-server.ts';
import { hasInnerDot, wireName } from './master-names.ts';
import { ask, resolve, zoneOf } from './zones.ts';

export interface AuthorityOptions {
  /** root servers and recursive resolver in one: answers RD=1 as a resolver and RD=0 with referrals */
  readonly address: string;
  /** where the zones themselves are served */
  readonly zoneAddress: string;
  /** of loopback: who may change zones */
  readonly controlAddress: string;
  readonly port: number;
}

/** A DNS world of its own on loopback: a root that delegates every zone to one server, and that server. */
export interface Authority {
  readonly controlUrl: string;
  putZone(zone: string, text: string): void;
  removeZone(zone: string): void;
  /** Delegates a zone to name servers of somebody else's: what they say, if anything, is not known here. */
  delegate(zone: string, addresses: readonly string[]): void;
  /** Takes the zone back: what is known of it here is served again. */
  endDelegation(zone: string): void;
  stop(): Promise<void>;
}

const rcodes = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const;
const maxZoneBytes = 1024 * 1024;
const udpFloor = 512;

export async function startAuthority({
  address,
  zoneAddress,
  controlAddress,
  port,
}: AuthorityOptions): Promise<Authority> {
  const zones = new Map<string, Zone>();
  const delegations = new Map<string, readonly string[]>();
  const root: Answerer = (question, recursionDesired) => {
    const elsewhere = delegationOf(delegations, question.name);
    if (elsewhere) return recursionDesired ? resolveElsewhere(zones, question, elsewhere) : referElsewhere(elsewhere);
    return recursionDesired ? resolve(zones, question) : refer({ zones, delegations }, question, zoneAddress);
  };
  const leaf: Answerer = (question) => {
    const zone = zoneOf(zones, question.name);
    return zone ? ask(zone, question) : { rcode: 'REFUSED', authoritative: false, answers: [], authorities: [] };
  };
  const putZone = (zone: string, text: string) => void zones.set(normal(zone), parseZone(normal(zone), text));
  const removeZone = (zone: string) => void zones.delete(normal(zone));
  const stops = [await listen(root, address, port), await listen(leaf, zoneAddress, port)];
  const control = await listenControl({ zones, putZone, removeZone }, controlAddress);
  return {
    controlUrl: control.url,
    putZone,
    removeZone,
    delegate: (zone, addresses) => void delegations.set(normal(zone), addresses),
    endDelegation: (zone) => void delegations.delete(normal(zone)),
    stop: async () => {
      await Promise.all([control.stop(), ...stops.map((stop) => stop())]);
    },
  };
}

const normal = (zone: string): string => zone.toLowerCase().replace(/\.$/, '');

type Referral = Reply & { readonly additionals?: DecodedPacket['additionals'] };

/** null: the question stays without an answer */
type Answerer = (question: Question, recursionDesired: boolean) => Referral | null | Promise<Referral | null>;

interface Delegated {
  readonly zones: ReadonlyMap<string, Zone>;
  readonly delegations: ReadonlyMap<string, readonly string[]>;
}

interface Delegation {
  readonly zone: string;
  readonly addresses: readonly string[];
}

/** The delegation that a name lies under, if any. */
function delegationOf(delegations: ReadonlyMap<string, readonly string[]>, name: string): Delegation | null {
  for (let zone = name; zone !== ''; zone = zone.includes('.') ? zone.slice(zone.indexOf('.') + 1) : '') {
    const addresses = delegations.get(zone);
    if (addresses) return { zone, addresses };
  }
  return null;
}

/**
 * What a resolver says of a name in somebody else's zone: an alias from there is followed into ours; SERVFAIL where its first server does not
 * serve the zone (RFC 8499, "lame delegation"), and nothing while that is silent.
 */
async function resolveElsewhere(
  zones: ReadonlyMap<string, Zone>,
  question: Question,
  { addresses: [address = ''] }: Delegation,
): Promise<Referral | null> {
  const told = await askServer(address, question);
  if (told === null) return null;
  const { answers = [], authorities = [], rcode } = told;
  if (rcode !== 'NOERROR' && rcode !== 'NXDOMAIN')
    return { rcode: 'SERVFAIL', authoritative: false, answers: [], authorities: [] };
  const alias = answers.find(({ type }) => type === 'CNAME') as { readonly data: string } | undefined;
  if (!alias || question.type === 'CNAME') return { rcode, authoritative: false, answers, authorities };
  const followed = resolve(zones, { ...question, name: alias.data });
  return { ...followed, answers: [...answers, ...followed.answers] };
}

function referElsewhere({ zone, addresses }: Delegation): Referral {
  const servers = addresses.map((data, index) => ({ name: `ns${index + 1}.${zone}`, data }));
  return {
    rcode: 'NOERROR',
    authoritative: false,
    answers: [],
    authorities: servers.map(({ name }) => ({ type: 'NS', name: zone, ttl: 60, data: name })),
    additionals: servers.map(({ name, data }) => ({ type: 'A', name, ttl: 60, data })),
  };
}

/** The root's view: every zone of ours is delegated to the one server, whatever its own NS records say. */
function refer({ zones, delegations }: Delegated, question: Question, zoneAddress: string): Referral {
  const zone = zoneOf(zones, question.name);
  if (zone) {
    return {
      rcode: 'NOERROR',
      authoritative: false,
      answers: [],
      authorities: [{ type: 'NS', name: zone.apex, ttl: 60, data: nameServer }],
      additionals: [{ type: 'A', name: nameServer, ttl: 60, data: zoneAddress }],
    };
  }
  if (question.name === nameServer) {
    const answers = question.type === 'A' ? [{ type: 'A' as const, name: nameServer, ttl: 60, data: zoneAddress }] : [];
    return { rcode: 'NOERROR', authoritative: true, answers, authorities: [] };
  }
  const below = (apex: string) => apex.endsWith(`.${question.name}`);
  const exists = question.name === '' || [...zones.keys(), ...delegations.keys()].some(below);
  return { rcode: exists ? 'NOERROR' : 'NXDOMAIN', authoritative: true, answers: [], authorities: [rootSoa] };
}

const rootSoa = {
  type: 'SOA',
  name: '',
  ttl: 60,
  data: { mname: nameServer, rname: 'hostmaster.invalid', serial: 1, refresh: 60, retry: 60, expire: 3600, minimum: 5 },
} as const;

async function listen(answerer: Answerer, address: string, port: number): Promise<() => Promise<void>> {
  const udp = createSocket('udp4');
  let isOpen = true;
  udp.on('message', (message, from) => {
    void respond(answerer, message, true).then((answer) => {
      if (answer && isOpen) udp.send(answer, from.port, from.address);
    });
  });
  const tcp = createTcpServer((socket) => {
    let received = Buffer.alloc(0);
    socket.setTimeout(5_000, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
      const packet = streamDecode(received);
      void (packet ? respond(answerer, encode(packet), false) : Promise.resolve(null)).then((answer) => {
        if (answer) socket.end(streamEncode(decode(answer)));
        else socket.destroy();
      });
    });
  });
  await new Promise<void>((done, fail) => udp.once('error', fail).bind(port, address, done));
  await new Promise<void>((done, fail) => tcp.once('error', fail).listen(port, address, done));
  return async () => {
    isOpen = false;
    await Promise.all([new Promise<void>((done) => udp.close(() => done())), new Promise((done) => tcp.close(done))]);
  };
}

async function respond(answerer: Answerer, message: Buffer, datagram: boolean): Promise<Buffer | null> {
  const query = tryDecode(message);
  const [question] = query?.questions ?? [];
  if (!query || query.type !== 'query' || !question) return null;
  const reply = await answerer({ ...question, name: question.name.toLowerCase() }, query.flag_rd);
  return reply && encodeReply(reply, { query, question, datagram });
}

interface Asked {
  readonly query: DecodedPacket;
  readonly question: Question;
  readonly datagram: boolean;
}

function encodeReply(reply: Referral, { query, question, datagram }: Asked): Buffer {
  const size = payloadSize(query);
  const opt = size === null ? [] : [optRecord];
  const response = {
    type: 'response' as const,
    id: query.id ?? 0,
    flags: flagsOf(reply, query.flag_rd),
    questions: [question],
    answers: reply.answers.map(encodable),
    authorities: [...reply.authorities],
    additionals: [...(reply.additionals ?? []), ...opt],
  };
  const bytes = encode(response);
  if (!datagram || bytes.length <= Math.max(udpFloor, size ?? 0)) return bytes;
  const flags = response.flags | TRUNCATED_RESPONSE;
  return encode({ ...response, flags, answers: [], authorities: [], additionals: opt });
}

const typesOfNames: Readonly<Record<string, number>> = { CNAME: 5, NS: 2 };

/** dns-packet takes each dot of a name for one between labels, so a name with another goes as bytes. */
function encodable(record: Answer): Answer {
  const number = typesOfNames[record.type];
  const { data } = record as { readonly data?: unknown };
  if (number === undefined || typeof data !== 'string' || !hasInnerDot(data)) return record;
  return { ...record, type: `UNKNOWN_${number}`, data: wireName(data) } as unknown as Answer;
}

const optRecord: OptAnswer = {
  type: 'OPT',
  name: '.',
  udpPayloadSize: 1232,
  flags: 0,
  options: [],
  extendedRcode: 0,
  ednsVersion: 0,
  flag_do: false,
};

/** What the asker can take over UDP (RFC 6891); null without EDNS. */
function payloadSize({ additionals }: DecodedPacket): number | null {
  const edns = additionals?.find((record) => record.type === 'OPT');
  return edns && 'udpPayloadSize' in edns ? edns.udpPayloadSize : null;
}

function flagsOf({ rcode, authoritative }: Reply, recursionDesired: boolean): number {
  const recursion = recursionDesired ? RECURSION_DESIRED | RECURSION_AVAILABLE : 0;
  return rcodes[rcode] | (authoritative ? AUTHORITATIVE_ANSWER : 0) | recursion;
}

function tryDecode(message: Buffer): DecodedPacket | null {
  try {
    return decode(message);
  } catch {
    return null;
  }
}

interface Control {
  readonly zones: ReadonlyMap<string, Zone>;
  putZone(zone: string, text: string): void;
  removeZone(zone: string): void;
}

/** `PUT /zones/<zone>` with master-file text, `DELETE /zones/<zone>`, `GET /zones`. */
async function listenControl(control: Control, address: string) {
  const server = createHttpServer((request, response) => {
    handle(control, request, response).catch((error: unknown) => {
      response
        .writeHead(400, { 'content-type': 'text/plain' })
        .end(`${error instanceof Error ? error.message : String(error)}\n`);
    });
  });
  await new Promise<void>((done, fail) => server.once('error', fail).listen(0, address, done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${address}:${port}`,
    stop: () =>
      new Promise<void>((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

async function handle(control: Control, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const zone = /^\/zones\/([^/]+)$/.exec(request.url ?? '')?.[1];
  if (request.method === 'GET' && request.url === '/zones') {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify([...control.zones.keys()]));
  } else if (request.method === 'PUT' && zone !== undefined) {
    control.putZone(decodeURIComponent(zone), await readText(request));
    response.writeHead(204).end();
  } else if (request.method === 'DELETE' && zone !== undefined) {
    control.removeZone(decodeURIComponent(zone));
    response.writeHead(204).end();
  } else {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('PUT or DELETE /zones/<zone>, or GET /zones\n');
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > maxZoneBytes) throw new Error('the zone is too long');
  }
  return text;
}
