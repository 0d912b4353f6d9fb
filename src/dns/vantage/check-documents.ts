import { z } from 'zod';
import { challengeName } from '../../rules/desired-records.ts';
import { dnsChallengeName } from '../../rules/challenge-delegation.ts';
import { isWithin, parseHostname } from '../../rules/hostname.ts';
import { parseHostnameOrWildcard } from '../../rules/wildcard-hostname.ts';
import type {
  AskedQuestion,
  CaaProperty,
  CheckRequest,
  CutAgreement,
  DifferingDelegations,
  DnsFacts,
  DnsOutcome,
  DnsRecord,
  NameFacts,
  SourceView,
} from '../dns-facts.ts';
import { recordTypes, unknownCauses } from '../dns-facts.ts';
import { recordsOf } from '../observed-records.ts';

/**
 * What one vantage point found, as it goes over the wire: JSON of `{ hostname, names: [...], asked: [...] }`. The reader
 * trusts nothing of it. Each bound is above what a check can find by its own limits (docs/concepts/dns-rules.md).
 */

/** bytes of one document */
export const documentBytes = 1_048_576;

const bounds = {
  names: 256,
  views: 32,
  servers: 256,
  cuts: 128,
  records: 64,
  allRecords: 4_096,
  asked: 512,
  /** a name of 255 bytes, each escaped */
  nameCharacters: 1_020,
  /** 1,024 bytes, each escaped, and what encloses them */
  textCharacters: 5_120,
} as const;

/** A schema for every field of T: a field that is new there does not compile until it is read here. */
type Shape<T> = { readonly [Key in keyof T]-?: z.ZodType };

const shape = <T>() => {
  return <S extends Shape<T>>(fields: S) => z.object(fields);
};

const count = z.int().min(0).max(65_535);
const textOf = (characters: RegExp, most: number) => z.string().max(most).regex(characters);
const name = textOf(/^[\x21-\x40\x5b-\x7e]*$/, bounds.nameCharacters);
const text = textOf(/^[\x20-\x7e]*$/, bounds.textCharacters);
const names = z.array(name).max(bounds.servers);
const recordType = z.enum(recordTypes);

const caa = shape<CaaProperty>()({
  flags: z.int().min(0).max(255),
  tag: text.min(1),
  value: textOf(/^[\0-\xff]*$/, 65_535),
});

const ttl = z.int().min(0).max(0xffff_ffff);

const record = shape<DnsRecord>()({ name, type: recordType, ttl, value: text, caa: caa.exactOptional() });

/** the name of a response code */
const code = textOf(/^[A-Z0-9]+$/, 16);

const outcome: z.ZodType<DnsOutcome> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('records'), records: z.array(record).max(bounds.records) }),
  z.object({ kind: z.literal('alias'), record, beside: z.array(record).max(bounds.records).exactOptional() }),
  z.object({ kind: z.literal('nodata'), ttl: ttl.exactOptional() }),
  z.object({ kind: z.literal('nxdomain'), ttl: ttl.exactOptional() }),
  z.object({ kind: z.literal('unknown'), cause: z.enum(unknownCauses), code: code.exactOptional() }),
]);

const witness = shape<NonNullable<SourceView['witness']>>()({
  address: text.nullable(),
  delegated: z.boolean(),
  certain: z.boolean(),
});

const view = shape<SourceView>()({
  source: text,
  witness: witness.exactOptional(),
  outcomes: z.partialRecord(recordType, outcome),
});

const cut = shape<CutAgreement>()({ zone: name, servers: count, agreeing: count });

const differing = shape<DifferingDelegations>()({
  zone: name,
  views: z.array(z.object({ by: z.array(text).max(bounds.servers), names })).max(bounds.views),
});

const nameFacts = shape<NameFacts>()({
  name,
  zone: name.nullable(),
  nameServers: names,
  cuts: z.array(cut).max(bounds.cuts).exactOptional(),
  differing: differing.nullable().exactOptional(),
  authorities: z.array(view).max(bounds.views),
  resolvers: z.array(view).max(bounds.views),
});

const askedQuestion = shape<AskedQuestion>()({ server: text, question: text, outcome: text, ms: z.number().min(0) });

const document = shape<Omit<DnsFacts, 'elsewhere' | 'dnssec'>>()({
  hostname: name,
  names: z.array(nameFacts).max(bounds.names),
  asked: z.array(askedQuestion).max(bounds.asked),
});

/** The facts as a document. */
export const writeFacts = ({ hostname, names: found, asked }: DnsFacts): string =>
  JSON.stringify({ hostname, names: Object.values(found), asked });

/** The facts about this hostname, frozen; null when the text is anything else. Fields that are unknown are left out. */
export function readFacts(json: string, hostname: string): DnsFacts | null {
  const read = document.safeParse(parsed(json));
  if (!read.success || read.data.hostname !== hostname) return null;
  const { names: list, asked } = read.data;
  const found: Record<string, NameFacts> = Object.create(null) as Record<string, NameFacts>;
  for (const one of list) found[one.name] = one;
  if (Object.keys(found).length !== list.length || recordsIn(list) > bounds.allRecords) return null;
  if (!list.every(({ name: at, zone }) => isInZone(at, zone))) return null;
  return deeplyFrozen({ hostname, names: found, asked });
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

const isInZone = (at: string, zone: string | null): boolean => zone === null || zone === '' || isWithin(at, zone);

const recordsIn = (list: readonly NameFacts[]): number =>
  list
    .flatMap(({ authorities, resolvers }) => [...authorities, ...resolvers])
    .flatMap(({ outcomes }) => Object.values(outcomes))
    .reduce((sum, found) => sum + Math.max(1, recordsOf(found).length), 0);

function deeplyFrozen<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) deeplyFrozen(part as object);
  return Object.freeze(value);
}

/** bytes of a request's body */
export const requestBytes = 4_096;

const plainHostname = z.string().refine((value) => parseHostname(value).ok);
const anyHostname = z.string().refine((value) => parseHostnameOrWildcard(value).ok);

const checkDocument = z.strictObject({
  hostname: anyHostname,
  target: plainHostname,
  txtName: z.string().nullable(),
  txtRequired: z.boolean(),
  delegationName: z.string().exactOptional(),
  needsTargetAddresses: z.boolean().exactOptional(),
  caa: z.boolean(),
});

/**
 * The check that a caller asks for; null when the text is anything else. Only full checks of names that a customer
 * could add, with their own challenge name: nobody gets answers to questions of their choice.
 */
export function readCheckRequest(json: string): CheckRequest | null {
  const read = checkDocument.safeParse(parsed(json));
  if (!read.success) return null;
  const { txtName, delegationName, hostname } = read.data;
  const isOwn = txtName === null || txtName === challengeName(hostname);
  const isOwnChallenge = delegationName === undefined || delegationName === dnsChallengeName(hostname);
  return isOwn && isOwnChallenge ? Object.freeze(read.data) : null;
}
