import type { DnsFacts, DnsRecord, DnsOutcome, SourceView } from '../dns-facts.ts';
import type { CaaCode, DnsCode } from '../../rules/verdict-codes.ts';
import { alongAliases } from './alias-chain.ts';
import type { CombinableVerdict } from './combine-views.ts';
import { causeCode, combine, rankOf } from './combine-views.ts';
import type { CaIdentity } from './dns-verdict.ts';

/** Known CAA property tags; an unknown one forbids issuance if it is marked critical. */
const knownTags: readonly string[] = [
  'issue',
  'issuewild',
  'iodef',
  'contactemail',
  'contactphone',
  'issuemail',
  'issuevmc',
];

/** The verdict with the CAA record set that it is based on. */
export interface CaaVerdict extends CombinableVerdict {
  /** name whose CAA record set decided; null when there is none up to the top-level domain */
  readonly at: string | null;
  readonly records: readonly DnsRecord[];
}

/** May the certificate authority issue for a non-wildcard name (RFC 8659 sections 3 and 4, RFC 8657)? */
export function caaVerdict(facts: DnsFacts, hostname: string, ca: CaIdentity | null): CaaVerdict {
  if (ca === null) return { ...permitted(null, []), code: 'NotAsked' };
  const labels = hostname.split('.');
  for (let index = 0; index < labels.length; index += 1) {
    const name = labels.slice(index).join('.');
    const verdict = verdictOfLevel(facts, name, ca);
    if (verdict.verdict !== 'yes' || verdict.at !== null) return verdict;
  }
  return permitted(null, []);
}

const permitted = (at: string | null, records: readonly DnsRecord[]): CaaVerdict => ({
  verdict: 'yes',
  code: 'Verified',
  corroborated: true,
  at,
  records,
});

const unknown = (code: DnsCode, at: string): CaaVerdict => ({
  verdict: 'unknown',
  code,
  corroborated: false,
  at,
  records: [],
});

/** A view without CAA records is the weaker yes: the climb goes on, and the names above have to permit too. */
const key = (verdict: CaaVerdict): string =>
  [verdict.at === null ? '' : `at ${verdict.at}`, rankOf(verdict), ...verdict.records.map(({ value }) => value)].join(
    ' ',
  );

/** The verdict on one name of the climb; yes with `at` null means that it has no CAA records and the climb goes on. */
function verdictOfLevel(facts: DnsFacts, start: string, ca: CaIdentity): CaaVerdict {
  const verdictOfName = (name: string, follow: (alias: string) => CaaVerdict): CaaVerdict => {
    const verdict = combine(facts.names[name], { view: (view) => verdictOfView(view, { name, ca, follow }), key });
    return 'records' in verdict ? verdict : unknown(verdict.code, name);
  };
  const [loop, tooMany] = [unknown('AliasLoop', start), unknown('TooManyAliases', start)];
  return alongAliases(facts, { start, types: ['CAA'], loop, tooMany }, verdictOfName);
}

interface Level {
  readonly name: string;
  readonly ca: CaIdentity;
  readonly follow: (alias: string) => CaaVerdict;
}

function verdictOfView({ outcomes }: SourceView, { name, ca, follow }: Level): CaaVerdict {
  const CAA: DnsOutcome | undefined = outcomes.CAA;
  if (CAA === undefined || CAA.kind === 'unknown') return unknown(causeCode([CAA]), name);
  if (CAA.kind === 'alias') return follow(CAA.record.value);
  return CAA.kind === 'records' ? verdictOfSet(name, CAA.records, ca) : permitted(null, []);
}

function verdictOfSet(at: string, records: readonly DnsRecord[], ca: CaIdentity): CaaVerdict {
  const no = (code: CaaCode): CaaVerdict => ({ verdict: 'no', code, corroborated: true, at, records });
  const properties = records.flatMap(({ caa }) => (caa ? [caa] : []));
  if (properties.some(({ critical, tag }) => critical && !knownTags.includes(tag))) return no('CaaCriticalUnknown');
  const issue = properties.filter(({ tag }) => tag === 'issue').map(({ value }) => problemOfIssue(value, ca));
  if (issue.length === 0 || issue.includes(null)) return permitted(at, records);
  return no(closestTo(issue));
}

const leastLacking: readonly CaaCode[] = [
  'CaaForbidsMethod',
  'CaaForbidsAccount',
  'CaaForbidsAuthority',
  'CaaMalformed',
];

/** Of several refusals, the one that is closest to permission: it is the easiest to fix. */
function closestTo(refusals: readonly (CaaCode | null)[]): CaaCode {
  return leastLacking.find((code) => refusals.includes(code)) ?? 'CaaForbidsAuthority';
}

const issuerDomain = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i;
const parameter = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?\s*=\s*[\x21-\x3a\x3c-\x7e]*$/i;

/** Null when this issue property permits the authority, otherwise why not (grammar: RFC 8659 section 4.2). */
function problemOfIssue(value: string, ca: CaIdentity): CaaCode | null {
  const [domain = '', ...rest] = value.split(';').map((part) => part.trim());
  const given = rest.filter((part) => part !== '');
  if (domain !== '' && !issuerDomain.test(domain)) return 'CaaMalformed';
  if (given.some((part) => !parameter.test(part))) return 'CaaMalformed';
  if (!ca.domains.some((ours) => ours.toLowerCase() === domain.toLowerCase())) return 'CaaForbidsAuthority';
  return problemOfParameters(parametersOf(given), ca);
}

function problemOfParameters(parameters: ReadonlyMap<string, readonly string[]>, ca: CaIdentity): CaaCode | null {
  const accounts = parameters.get('accounturi') ?? [];
  if (accounts.length > 1) return 'CaaMalformed';
  if (accounts.length === 1 && accounts[0] !== ca.accountUri) return 'CaaForbidsAccount';
  const methods = parameters.get('validationmethods') ?? [];
  if (methods.length === 0) return null;
  const allowed = methods.flatMap((list) => list.split(',').map((method) => method.trim().toLowerCase()));
  return ca.method !== null && allowed.includes(ca.method.toLowerCase()) ? null : 'CaaForbidsMethod';
}

function parametersOf(parts: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const part of parts) {
    const at = part.indexOf('=');
    const tag = part.slice(0, at).trim().toLowerCase();
    found.set(tag, [...(found.get(tag) ?? []), part.slice(at + 1).trim()]);
  }
  return found;
}
