import { randomInt } from 'node:crypto';
import type { Answer, DecodedPacket } from 'dns-packet';
import { decode, encode, RECURSION_DESIRED } from 'dns-packet';
import type { DnsRecord, RecordType } from '../model/dns-facts.ts';

/** A question as it is sent; names in lower case without the trailing dot. */
export interface Question {
  readonly name: string;
  readonly type: RecordType;
  readonly recursive: boolean;
}

/** What a server said, reduced to what is read here. */
export interface Response {
  /** low four bits, or the extended code: NOERROR, NXDOMAIN, SERVFAIL, REFUSED, … */
  readonly rcode: string;
  readonly authoritative: boolean;
  readonly truncated: boolean;
  readonly answers: readonly DnsRecord[];
  readonly authorities: readonly DnsRecord[];
  readonly additionals: readonly DnsRecord[];
}

const payloadSize = 1232;

export function encodeQuestion({ name, type, recursive }: Question): { readonly id: number; readonly bytes: Buffer } {
  const id = randomInt(65_536);
  const bytes = encode({
    type: 'query',
    id,
    flags: recursive ? RECURSION_DESIRED : 0,
    questions: [{ name: name === '' ? '.' : name, type, class: 'IN' }],
    additionals: [
      {
        type: 'OPT',
        name: '.',
        udpPayloadSize: payloadSize,
        flags: 0,
        options: [],
        extendedRcode: 0,
        ednsVersion: 0,
        flag_do: false,
      },
    ],
  });
  return { id, bytes };
}

/** The response to exactly this question; null for anything else, which is ignored as a stray or forged packet. */
export function decodeResponse(bytes: Buffer, id: number, question: Question): Response | null {
  const packet = tryDecode(bytes);
  if (packet?.type !== 'response' || packet.id !== id) return null;
  const [echo] = packet.questions ?? [];
  if (echo && (normal(echo.name) !== question.name || echo.type !== question.type)) return null;
  return {
    rcode: (packet as DecodedPacket & { rcode: string }).rcode,
    authoritative: packet.flag_aa,
    truncated: packet.flag_tc,
    answers: records(packet.answers),
    authorities: records(packet.authorities),
    additionals: records(packet.additionals),
  };
}

function tryDecode(bytes: Buffer): DecodedPacket | null {
  try {
    return decode(bytes);
  } catch {
    return null;
  }
}

const normal = (name: string): string => name.toLowerCase().replace(/\.$/, '');

function records(answers: readonly Answer[] | undefined): readonly DnsRecord[] {
  return (answers ?? []).flatMap((answer) => {
    const record = toRecord(answer);
    return record ? [record] : [];
  });
}

function toRecord(answer: Answer): DnsRecord | null {
  const base = { name: normal(answer.name), ttl: 'ttl' in answer ? (answer.ttl ?? 0) : 0 };
  switch (answer.type) {
    case 'A':
    case 'AAAA':
      return { ...base, type: answer.type, value: answer.data };
    case 'CNAME':
    case 'NS':
      return { ...base, type: answer.type, value: normal(answer.data) };
    case 'SOA':
      return { ...base, type: 'SOA', value: normal(answer.data.mname) };
    case 'TXT':
      return { ...base, type: 'TXT', value: text(answer.data) };
    case 'CAA': {
      const { flags = 0, tag, value } = answer.data;
      return {
        ...base,
        type: 'CAA',
        value: `${flags} ${tag} "${value}"`,
        caa: { critical: (flags & 128) !== 0, tag: tag.toLowerCase(), value },
      };
    }
    default:
      return null;
  }
}

/** The strings of a TXT record are one value (RFC 7208 section 3.3 and common practice). */
function text(data: string | Buffer | readonly (string | Buffer)[]): string {
  const chunks = Array.isArray(data) ? (data as readonly (string | Buffer)[]) : [data as string | Buffer];
  return chunks.map((chunk) => (typeof chunk === 'string' ? chunk : chunk.toString('utf8'))).join('');
}
