import { createPrivateKey } from 'node:crypto';
import type { CertificateRefusalReason } from '../../src/own-certificate/certificate-refusal.ts';
import type { CertificateEdit, DerNode } from './der-edit.ts';
import { branch, edited, leaf, part, places, readDer, writeDer } from './der-edit.ts';
import type { CertificateMaker, Made } from './made-certificates.ts';
import { names, ofServer } from './made-certificates.ts';

/** A certificate that somebody made up, in a chain in which nothing else is wrong. */
export interface CraftedCertificate {
  readonly what: string;
  readonly reason: CertificateRefusalReason;
  /** what crypto/tls of Go 1.26 says of it, as Traefik 3.6.12 does; null where it takes it, and reads something else than browsers */
  readonly go: string | null;
  readonly pem: string;
  readonly key: string;
}

const hostname = 'www.example.com';
const [utf8, printable, t61, ia5, bmp, visible] = [12, 19, 20, 22, 30, 26] as const;
const text = (tag: number, value: string | Buffer) => leaf(tag, Buffer.from(value));
const oid = (...octets: readonly number[]) => leaf(6, octets);
const commonName = () => oid(0x55, 4, 3);
const attribute = (value: DerNode, type = commonName()) => branch(0x30, type, value);
const integer = (...octets: readonly number[]) => leaf(2, octets);

/** The bytes of a value that stands in an OCTET STRING or a BIT STRING, changed. */
function inside(holder: DerNode, skip: number, change: (value: DerNode) => void): void {
  const [value] = readDer(holder.bytes.subarray(skip)) as [DerNode];
  change(value);
  holder.bytes = Buffer.concat([holder.bytes.subarray(0, skip), writeDer(value)]);
}

const extensionsOf = (signed: DerNode) => part(signed, places.extensions, 0);
/** One of those of RFC 5280, by the last arc of its OID. */
const extensionOf = (signed: DerNode, arc: number) =>
  extensionsOf(signed).parts?.find((one) => part(one, 0).bytes.equals(Buffer.from([0x55, 0x1d, arc])));
const addExtension = (signed: DerNode, ...parts: DerNode[]) => extensionsOf(signed).parts?.push(branch(0x30, ...parts));
const named = (...attributes: DerNode[]) => ({
  signed: (signed: DerNode) => {
    part(signed, places.subject).parts = attributes.map((one) => branch(0x31, one));
  },
});
const octets = (...bytes: readonly number[]) => leaf(4, bytes);
const rsaNumbers = (signed: DerNode, change: (numbers: DerNode) => void) =>
  inside(part(signed, places.key, 1), 1, change);
const exponent = (...bytes: readonly number[]) => ({
  signed: (signed: DerNode) => rsaNumbers(signed, (numbers) => numbers.parts?.splice(1, 1, integer(...bytes))),
});

type Row = readonly [what: string, CertificateRefusalReason, go: string | null, CertificateEdit, key?: 'rsa' | 'ec'];

const rows: readonly Row[] = [
  // Names
  ['a foreign common name', 'CommonName', null, named(attribute(text(utf8, 'www.example.org')))],
  [
    'a list of names as its common name',
    'CommonName',
    null,
    named(attribute(text(utf8, `${hostname},www.example.org`))),
  ],
  ['a wildcard as its common name', 'CommonName', null, named(attribute(text(utf8, '*.example.com')))],
  ['its common name with a space behind it', 'CommonName', null, named(attribute(text(utf8, `${hostname} `)))],
  ['its common name with a dot behind it', 'CommonName', null, named(attribute(text(utf8, `${hostname}.`)))],
  ['an empty common name', 'CommonName', null, named(attribute(text(utf8, '')))],
  [
    'a letter that is a K in lower case alone',
    'CommonName',
    null,
    named(attribute(text(utf8, 'www.\u212aexample.com'))),
  ],
  [
    'two common names, of which the second is foreign',
    'CommonName',
    null,
    named(attribute(text(utf8, hostname)), attribute(text(utf8, 'www.example.org'))),
  ],
  [
    'two common names, of which the first is foreign',
    'CommonName',
    null,
    named(attribute(text(utf8, 'www.example.org')), attribute(text(utf8, hostname))),
  ],
  [
    'its name as two common names',
    'CommonName',
    null,
    named(attribute(text(utf8, hostname)), attribute(text(utf8, hostname))),
  ],
  [
    'a foreign common name beside another attribute in one part',
    'CommonName',
    null,
    {
      signed: (signed) => {
        const unit = attribute(text(utf8, 'unit'), oid(0x55, 4, 11));
        part(signed, places.subject).parts = [branch(0x31, unit, attribute(text(utf8, 'www.example.org')))];
      },
    },
  ],
  [
    'a common name in UCS-2',
    'CommonName',
    null,
    named(attribute(text(bmp, Buffer.from(hostname, 'utf16le').swap16()))),
  ],
  ['a common name in T.61', 'CommonName', null, named(attribute(text(t61, hostname)))],
  [
    'a common name in a kind of text that few read',
    'CertificateUnreadable',
    'unsupported string type: 26',
    named(attribute(text(visible, hostname))),
  ],
  ['a comma in a hostname', 'InvalidName', null, namesOf(text(0x82, `${hostname},www.example.org`))],
  ['a zero in a hostname', 'InvalidName', null, namesOf(text(0x82, `${hostname}\0.example.org`))],
  ['a dot behind a hostname', 'InvalidName', null, namesOf(text(0x82, hostname), text(0x82, 'www.example.org.'))],
  ['a zero in its common name', 'CertificateUnreadable', null, named(attribute(text(utf8, `${hostname}\0`)))],
  [
    'a new line in another attribute',
    'CertificateUnreadable',
    null,
    named(attribute(text(utf8, 'a\nCN=b'), oid(0x55, 4, 11))),
  ],
  [
    'a hostname in Latin-1',
    'CertificateUnreadable',
    'dNSName is malformed',
    namesOf(text(0x82, Buffer.from([0xe9, 0x2e, 0x64, 0x65]))),
  ],
  ['a URI besides', 'OtherNames', null, namesOf(text(0x82, hostname), text(0x86, 'https://www.example.org/'))],
  ['a mail address besides', 'OtherNames', null, namesOf(text(0x82, hostname), text(0x81, 'a@example.org'))],
  [
    'an address of three octets',
    'OtherNames',
    'cannot parse IP address',
    namesOf(text(0x82, hostname), leaf(0x87, [1, 2, 3])),
  ],
  [
    'a directory name besides',
    'OtherNames',
    null,
    namesOf(text(0x82, hostname), branch(0xa4, branch(0x30, branch(0x31, attribute(text(utf8, 'www.example.org')))))),
  ],
  [
    'another name besides',
    'OtherNames',
    null,
    namesOf(text(0x82, hostname), branch(0xa0, oid(0x2a, 3), branch(0xa0, text(utf8, 'x')))),
  ],
  [
    'broken UTF-8 in its name',
    'CertificateUnreadable',
    'invalid UTF-8 string',
    named(attribute(text(utf8, Buffer.from([0xff, 0xfe])))),
  ],
  [
    'an underscore in a PrintableString',
    'CertificateUnreadable',
    'invalid PrintableString',
    named(attribute(text(printable, 'a_b'))),
  ],
  [
    'eight bits in an IA5String',
    'CertificateUnreadable',
    'invalid IA5String',
    named(attribute(text(ia5, Buffer.from([0xe9])))),
  ],
  [
    'half a character of UCS-2',
    'CertificateUnreadable',
    'invalid BMPString',
    named(attribute(leaf(bmp, [0x61]), oid(0x55, 4, 11))),
  ],
  // Numbers and dates
  [
    'a negative serial number',
    'CertificateUnreadable',
    'negative serial number',
    { signed: (signed) => (part(signed, places.serial).bytes = Buffer.from([0x80])) },
  ],
  [
    'a serial number of 21 octets',
    'CertificateUnreadable',
    null,
    { signed: (signed) => (part(signed, places.serial).bytes = Buffer.alloc(21, 1)) },
  ],
  [
    'a serial number that is padded',
    'CertificateUnreadable',
    'malformed serial number',
    { signed: (signed) => (part(signed, places.serial).bytes = Buffer.from([0, 1])) },
  ],
  ['no version, which is the first', 'CertificateUnreadable', null, { signed: (signed) => signed.parts?.splice(0, 1) }],
  [
    'a fourth version',
    'CertificateUnreadable',
    'invalid version',
    { signed: (signed) => (part(signed, places.version, 0).bytes = Buffer.from([3])) },
  ],
  [
    'a version that begins as the third',
    'CertificateUnreadable',
    'invalid version',
    { signed: (signed) => (part(signed, places.version, 0).bytes = Buffer.from([2, 0])) },
  ],
  [
    'the 31st of February',
    'CertificateUnreadable',
    'malformed UTCTime',
    { signed: (signed) => (part(signed, places.validity, 0).bytes = Buffer.from('250231000000Z')) },
  ],
  [
    'a time without seconds',
    'CertificateUnreadable',
    null,
    { signed: (signed) => (part(signed, places.validity, 0).bytes = Buffer.from('2502010000Z')) },
  ],
  [
    'a time of another zone',
    'CertificateUnreadable',
    null,
    { signed: (signed) => (part(signed, places.validity, 0).bytes = Buffer.from('250201000000+0100')) },
  ],
  // Algorithms and keys
  [
    'another algorithm inside than outside',
    'CertificateUnreadable',
    "identifiers don't match",
    {
      signed: (signed) =>
        (part(signed, places.algorithm, 0).bytes = Buffer.from([0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 3])),
    },
  ],
  ['a point that is compressed', 'CertificateUnreadable', 'invalid uncompressed public key', { signed: compress }],
  [
    'a point that is on no curve',
    'CertificateUnreadable',
    'not on curve',
    { signed: (signed) => part(signed, places.key, 1).bytes.fill(7, 40) },
  ],
  [
    'a curve that is written out',
    'CertificateUnreadable',
    'invalid ECDSA parameters',
    { signed: (signed) => part(signed, places.key, 0).parts?.splice(1, 1, branch(0x30, integer(1))) },
  ],
  [
    'a key of RSA without parameters',
    'CertificateUnreadable',
    'RSA key missing NULL parameters',
    { signed: (signed) => part(signed, places.key, 0).parts?.splice(1, 1) },
    'rsa',
  ],
  [
    'a negative modulus',
    'CertificateUnreadable',
    'not a positive number',
    {
      signed: (signed) =>
        rsaNumbers(signed, (numbers) => (part(numbers, 0).bytes = part(numbers, 0).bytes.subarray(1))),
    },
    'rsa',
  ],
  [
    'an even modulus',
    'CertificateUnreadable',
    'private key does not match',
    { signed: (signed) => rsaNumbers(signed, (numbers) => part(numbers, 0).bytes.writeUInt8(2, 256)) },
    'rsa',
  ],
  ['an exponent of 33 bits', 'KeyType', 'private key does not match', exponent(1, 0, 0, 0, 1), 'rsa'],
  ['an exponent of 32 bits', 'KeyType', 'private key does not match', exponent(0, 0x80, 0, 0, 1), 'rsa'],
  [
    'an exponent as long as its modulus',
    'KeyType',
    'invalid RSA public exponent',
    exponent(...Array<number>(256).fill(0x7f)),
    'rsa',
  ],
  ['an even exponent', 'KeyType', 'private key does not match', exponent(4), 'rsa'],
  ['an exponent of one', 'KeyType', 'private key does not match', exponent(1), 'rsa'],
  ['an exponent of zero', 'KeyType', 'not a positive number', exponent(0), 'rsa'],
  ['a negative exponent', 'KeyType', 'not a positive number', exponent(0x81), 'rsa'],
  // Extensions
  [
    'an extension twice',
    'CertificateUnreadable',
    'duplicate extension',
    { signed: (signed) => extensionsOf(signed).parts?.push(part(extensionsOf(signed), 0)) },
  ],
  [
    'alternative names twice',
    'CertificateUnreadable',
    'duplicate extension',
    {
      signed: (signed) =>
        addExtension(signed, oid(0x55, 0x1d, 17), leaf(4, writeDer(branch(0x30, text(0x82, 'www.example.org'))))),
    },
  ],
  [
    'a critical extension that nobody knows',
    'Extension',
    null,
    { signed: (signed) => addExtension(signed, oid(0x2a, 3, 4), leaf(1, [0xff]), octets(5, 0)) },
  ],
  [
    "an authority's extension",
    'Extension',
    null,
    { signed: (signed) => addExtension(signed, oid(0x55, 0x1d, 33), octets(0x30, 0)) },
  ],
  [
    'a key identifier that is critical',
    'CertificateUnreadable',
    'incorrectly marked critical',
    { signed: (signed) => extensionOf(signed, 35)?.parts?.splice(1, 0, leaf(1, [0xff])) },
  ],
  [
    'access to its authority that is critical',
    'CertificateUnreadable',
    'incorrectly marked critical',
    { signed: (signed) => addExtension(signed, oid(0x2b, 6, 1, 5, 5, 7, 1, 1), leaf(1, [0xff]), octets(0x30, 0)) },
  ],
  [
    'a policy twice',
    'CertificateUnreadable',
    'invalid certificate policies',
    {
      signed: (signed) =>
        addExtension(signed, oid(0x55, 0x1d, 32), octets(0x30, 12, 0x30, 4, 6, 2, 0x2a, 3, 0x30, 4, 6, 2, 0x2a, 3)),
    },
  ],
  [
    'a point of distribution by a relative name',
    'CertificateUnreadable',
    'invalid CRL distribution point',
    { signed: (signed) => addExtension(signed, oid(0x55, 0x1d, 31), octets(0x30, 6, 0x30, 4, 0xa0, 2, 0xa1, 0)) },
  ],
  [
    'a boolean that is neither',
    'CertificateUnreadable',
    'malformed extension critical field',
    { signed: (signed) => addExtension(signed, oid(0x2a, 3, 4), leaf(1, [1]), octets(5, 0)) },
  ],
  [
    'an identifier of its subject besides',
    'CertificateUnreadable',
    null,
    { signed: (signed) => signed.parts?.splice(7, 0, leaf(0x82, [0, 1])) },
  ],
  // What follows
  ['something after its signature', 'CertificateUnreadable', null, { whole: (whole) => whole.parts?.push(integer(1)) }],
  [
    'a signature of seven bits',
    'CertificateUnreadable',
    null,
    { whole: (whole) => part(whole, 2).bytes.writeUInt8(1, 0) },
  ],
];

function namesOf(...all: DerNode[]): CertificateEdit {
  return {
    signed: (signed) => {
      const found = extensionOf(signed, 17);
      if (found) part(found, -1).bytes = writeDer(branch(0x30, ...all));
    },
  };
}

function compress(signed: DerNode): void {
  const point = part(signed, places.key, 1);
  const isOdd = ((point.bytes.at(-1) ?? 0) & 1) === 1;
  point.bytes = Buffer.concat([Buffer.from([0, isOdd ? 3 : 2]), point.bytes.subarray(2, 34)]);
}

/** Certificates for www.example.com that are not to be taken, each with what is odd about it, signed by the authority. */
export function craftedCertificates(maker: CertificateMaker, by: Made): readonly CraftedCertificate[] {
  const extensions = [...ofServer, names(hostname)];
  const seeds = { ec: maker.make({ by, extensions }), rsa: maker.make({ by, extensions, key: ['rsa:2048'] }) } as const;
  return rows.map(([what, reason, go, edit, kind = 'ec']) => {
    const { key, ...seed } = seeds[kind];
    return {
      what,
      reason,
      go,
      pem: edited(seed, by, edit),
      key: createPrivateKey(key).export({ type: 'pkcs8', format: 'pem' }).toString(),
    };
  });
}
