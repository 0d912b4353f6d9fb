import type { CaaProperty, DnsFacts, DnsRecord, SourceView } from '../dns-facts.ts';
import type { CaaCode, DnsCode } from '../../rules/verdict-codes.ts';
import { baseOf } from '../../rules/wildcard.ts';
import { hasSeveralAliases, withNamesAbove } from '../observed-records.ts';
import { alongAliases, causeCode, combine, rankOf } from './combine-views.ts';
import { refusalByBoulder } from './caa-boulder.ts';
import { refusalByStrict } from './caa-strict.ts';
import type { CombinableVerdict } from './combine-views.ts';
import type { CaIdentity } from './dns-verdict.ts';

/** Why the authority would not issue by this set, null when it would; by its profile. */
export const refusalOf = (properties: readonly CaaProperty[], ca: CaIdentity): CaaCode | null =>
  ca.caaProfile === 'boulder' ? refusalByBoulder(properties, ca) : refusalByStrict(properties, ca);

/** The verdict with the CAA record set that it is based on. */
export interface CaaVerdict extends CombinableVerdict {
  /** name whose CAA record set decided; null when there is none up to the top-level domain */
  readonly at: string | null;
  readonly records: readonly DnsRecord[];
}

/** May the certificate authority issue for a name? The climb is RFC 8659 section 3, from a wildcard's base; a set is read by profile. */
export function caaVerdict(facts: DnsFacts, hostname: string, ca: CaIdentity | null): CaaVerdict {
  if (ca === null) return { ...permitted(null, []), code: 'NotAsked' };
  for (const name of withNamesAbove(baseOf(hostname))) {
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
  /** Boulder does not issue below a top-level domain that does not exist (bdns/dns.go, LookupCAA). */
  const mustExist = ca.caaProfile === 'boulder' && !start.includes('.');
  const verdictOfView = ({ outcomes }: SourceView, name: string, follow: (alias: string) => CaaVerdict): CaaVerdict => {
    const { CAA } = outcomes;
    if (CAA === undefined || CAA.kind === 'unknown') return unknown(causeCode(outcomes), name);
    if (hasSeveralAliases(CAA)) return unknown('SeveralCnames', name);
    if (CAA.kind === 'alias') return follow(CAA.record.value);
    if (CAA.kind === 'nxdomain' && mustExist) return unknown('NoUsableAnswer', name);
    return CAA.kind === 'records' ? verdictOfSet(name, CAA.records, ca) : permitted(null, []);
  };
  const [loop, tooMany] = [unknown('AliasLoop', start), unknown('TooManyAliases', start)];
  return alongAliases(facts, { start, types: ['CAA'], loop, tooMany }, (name, follow) =>
    combine(facts.names[name], {
      view: (view) => verdictOfView(view, name, follow),
      key,
      undecided: (code) => unknown(code, name),
    }),
  );
}

function verdictOfSet(at: string, records: readonly DnsRecord[], ca: CaIdentity): CaaVerdict {
  const properties = records.flatMap(({ caa }) => caa ?? []);
  const refusal = refusalOf(properties, ca);
  if (refusal === null) return permitted(at, records);
  return { verdict: 'no', code: refusal, corroborated: true, at, records };
}
