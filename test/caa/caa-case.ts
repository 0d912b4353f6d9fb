import type { DnsOutcome, DnsRecord, NameFacts } from '../../src/dns/dns-facts.ts';
import { readRdata } from '../../src/dns/wire/rdata.ts';
import { createNameReader, MalformedMessage } from '../../src/dns/wire/wire-name.ts';
import type { CaaProfile } from '../../src/dns/verdict/caa-profile.ts';
import { caaVerdict } from '../../src/dns/verdict/caa-verdict.ts';
import type { CaaVerdict } from '../../src/dns/verdict/caa-verdict.ts';
import type { CaIdentity } from '../../src/dns/verdict/dns-verdict.ts';

/** A CAA record: flags, tag and value (characters are bytes), or its data in hexadecimal. */
export type CaaRecord = readonly [flags: number, tag: string, value: string] | string;

/** What DNS says of one name. */
export type CaaAnswer = readonly CaaRecord[] | { readonly alias: string } | 'nxdomain' | 'servfail';

/** CAA records for one hostname. A name that is left out exists and has no CAA records. */
export interface CaaInput {
  readonly hostname: string;
  readonly names: Readonly<Record<string, CaaAnswer>>;
  /** validation method of the order */
  readonly method: string;
}

export const hostname = 'www.example.com';
export const issuer = 'letsencrypt.org';
export const accountPrefix = 'https://acme-v02.api.letsencrypt.org/acme/acct/';
export const accountId = 1;
export const accountUri = `${accountPrefix}${accountId}`;

/** A record's data (RFC 8659 section 4.1). */
export function rdataOf(record: CaaRecord): Buffer {
  if (typeof record === 'string') return Buffer.from(record, 'hex');
  const [flags, tag, value] = record;
  return Buffer.concat([Buffer.from([flags, tag.length]), Buffer.from(tag, 'latin1'), Buffer.from(value, 'latin1')]);
}

/** Our verdict on the records, which are read from the same bytes that an authority would get. */
export function ourVerdict({ hostname, names, method }: CaaInput, caaProfile: CaaProfile): CaaVerdict {
  const labels = hostname.split('.');
  const parents = labels.map((_, index) => labels.slice(index).join('.'));
  const aliases = Object.values(names).flatMap((answer) =>
    typeof answer === 'object' && 'alias' in answer ? [answer.alias] : [],
  );
  const all = [...new Set([...parents, ...aliases, ...Object.keys(names)])];
  const facts = {
    hostname,
    names: Object.fromEntries(all.map((name) => [name, nameFacts(name, names[name] ?? [])])),
    asked: [],
  };
  const ca: CaIdentity = { domains: [issuer], accountUri, method, caaProfile };
  return caaVerdict(facts, hostname, ca);
}

function nameFacts(name: string, answer: CaaAnswer): NameFacts {
  const authorities = [{ source: 'ns', outcomes: { CAA: outcomeOf(name, answer) } }];
  return { name, zone: 'example.com', nameServers: ['ns'], authorities, resolvers: [] };
}

function outcomeOf(name: string, answer: CaaAnswer): DnsOutcome {
  if (answer === 'nxdomain') return { kind: 'nxdomain' };
  if (answer === 'servfail') return { kind: 'unknown', cause: 'servfail' };
  if ('alias' in answer) return { kind: 'alias', record: { name, type: 'CNAME', ttl: 60, value: answer.alias } };
  return answer.length === 0 ? { kind: 'nodata' } : recordsOf(name, answer);
}

/** A message with one malformed record is malformed as a whole, as in src/dns/wire/dns-message.ts. */
function recordsOf(name: string, answer: readonly CaaRecord[]): DnsOutcome {
  try {
    const records = answer.map((record): DnsRecord => {
      const message = rdataOf(record);
      return {
        name,
        type: 'CAA',
        ttl: 60,
        ...readRdata('CAA', { message, names: createNameReader(message), start: 0, end: message.length }),
      };
    });
    return { kind: 'records', records };
  } catch (error) {
    if (!(error instanceof MalformedMessage)) throw error;
    return { kind: 'unknown', cause: 'malformed' };
  }
}

/** The verdict in a word: `yes`, `unknown`, or what forbids. */
export type Expected = 'yes' | 'authority' | 'account' | 'method' | 'malformed' | 'critical' | 'unknown';

const words: Readonly<Record<string, Expected>> = {
  CaaForbidsAuthority: 'authority',
  CaaForbidsAccount: 'account',
  CaaForbidsMethod: 'method',
  CaaMalformed: 'malformed',
  CaaCriticalUnknown: 'critical',
};

export const inAWord = ({ verdict, code }: CaaVerdict): Expected =>
  verdict === 'no' ? (words[code] ?? 'unknown') : verdict;

/** One case with the verdict of each profile. */
export interface CaaCase extends CaaInput {
  readonly sentence: string;
  readonly boulder: Expected;
  readonly strict: Expected;
  /** Boulder's own verdict, where the boulder profile deliberately differs */
  readonly itself?: 'yes' | 'no' | 'unknown';
}
