/** Replies that a server makes up, as bytes. */

export const rcodes = {
  NODATA: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  BADVERS: 16,
} as const;

const typeNumbers = { A: 1, NS: 2, CNAME: 5, SOA: 6, TXT: 16, AAAA: 28, DS: 43, DNSKEY: 48, CAA: 257 } as const;
type TypeName = keyof typeof typeNumbers;

/** Offset behind the one question. */
export function questionEnd(message: Buffer): number {
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) at += length + 1;
  return at + 5;
}

/** The type that the message asks about, such as `NS`, or `other`. */
export function typeOf(query: Buffer): string {
  const number = query.readUInt16BE(questionEnd(query) - 4);
  return Object.entries(typeNumbers).find(([, other]) => other === number)?.[0] ?? 'other';
}

/** The name that the message asks about, in lower case without the trailing dot. */
export function nameOf(query: Buffer): string {
  const labels: string[] = [];
  for (let at = 12; (query[at] ?? 0) > 0; at += (query[at] ?? 0) + 1)
    labels.push(query.subarray(at + 1, at + 1 + (query[at] ?? 0)).toString('latin1'));
  return labels.join('.').toLowerCase();
}

/**
 * The query with QR set and a code; for codes above 15 with the OPT record that carries their upper bits. Says with
 * authority that there is nothing, but refuses without it.
 */
export function codeReply(query: Buffer, code: keyof typeof rcodes): Buffer {
  const rcode = rcodes[code];
  const authority = code === 'NODATA' || code === 'NXDOMAIN' ? 0x0400 : 0;
  const reply = emptyReply(query, authority | (rcode & 0x0f), rcode > 15 ? 1 : 0);
  if (rcode <= 15) return reply;
  return Buffer.concat([reply, Buffer.from([0, 0, 41, 0x04, 0xd0, rcode >> 4, 0, 0, 0, 0, 0])]);
}

/** An authoritative answer of lines without owner, such as `CNAME www.example.com.` or `CAA \# 0005`, in hexadecimal. */
export function scriptedReply(query: Buffer, lines: readonly string[]): Buffer {
  const reply = emptyReply(query, 0x0400, 0);
  reply.writeUInt16BE(lines.length, 6);
  return Buffer.concat([reply, ...lines.map(record)]);
}

function emptyReply(query: Buffer, flags: number, additionals: number): Buffer {
  const reply = Buffer.from(query.subarray(0, questionEnd(query)));
  reply.writeUInt16BE((query.readUInt16BE(2) & 0x0100) | 0x8000 | flags, 2);
  reply.writeUInt16BE(0, 6);
  reply.writeUInt16BE(0, 8);
  reply.writeUInt16BE(additionals, 10);
  return reply;
}

/** A record whose owner is the name of the question. */
function record(line: string): Buffer {
  const [type = '', ...rest] = line.split(' ');
  const data = rdata(type, rest);
  const fixed = Buffer.from([0xc0, 0x0c, 0, 0, 0, 1, 0, 0, 0, 60, 0, 0]);
  fixed.writeUInt16BE(typeNumbers[type as TypeName], 2);
  fixed.writeUInt16BE(data.length, 10);
  return Buffer.concat([fixed, data]);
}

function rdata(type: string, [value = '', hexadecimal = '']: readonly string[]): Buffer {
  if (value === '\\#') return Buffer.from(hexadecimal, 'hex');
  if (type === 'A') return Buffer.from(value.split('.').map(Number));
  const labels = value.split('.').map((label) => Buffer.from(label, 'latin1'));
  return Buffer.concat(labels.flatMap((label) => [Buffer.from([label.length]), label]));
}
