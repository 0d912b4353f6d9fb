import { createDnsChecker } from '../../dns/lookup/dns-checker.ts';
import type { AskedQuestion } from '../../dns/dns-facts.ts';
import { desiredRecords } from '../../rules/desired-records.ts';
import { evaluateDns } from '../../dns/verdict/evaluate-dns.ts';
import type { DnsVerdict, DesiredDns } from '../../dns/verdict/dns-verdict.ts';
import type { CheckArguments } from './check-arguments.ts';

/** What `check --json` prints. */
export interface CheckReport extends Pick<DnsVerdict, 'issues'> {
  readonly hostname: string;
  readonly routing: Verdict;
  readonly ownership: Verdict;
  readonly caa: Verdict;
  readonly records: { readonly desired: readonly object[]; readonly discovered: readonly object[] };
  readonly asked: readonly AskedQuestion[];
}

type Verdict = Pick<DnsVerdict['caa'], 'verdict' | 'code'>;

/** Checks once, without a cluster, with the same code as the operator. */
export async function check({ wanted, roots, resolvers, permitted }: CheckArguments): Promise<CheckReport> {
  const dns = createDnsChecker({ roots, resolvers, permitted });
  const { hostname, target, txt, txtRequired, ca } = wanted;
  const dnssec = { platformAddresses: wanted.platformAddresses };
  const request = { hostname, target, txtName: txt?.name ?? null, txtRequired, caa: ca !== null, dnssec };
  const facts = await dns.check(request, new AbortController().signal);
  const verdict = evaluateDns(facts, wanted);
  const { routing, ownership, caa, issues, discovered } = verdict;
  return {
    hostname,
    routing: { verdict: routing.verdict, code: routing.code },
    ownership,
    caa,
    issues,
    records: { desired: desired(verdict, wanted), discovered },
    asked: facts.asked,
  };
}

function desired({ zone }: DnsVerdict, { hostname, target, txt }: DesiredDns): readonly object[] {
  return desiredRecords({ hostname, zone, target, txt: txt?.value ?? null });
}

/** 0 when all three verdicts are yes, 1 when one is no, 2 when one is unknown and none is no. */
export function exitStatus({ routing, ownership, caa }: CheckReport): 0 | 1 | 2 {
  const verdicts = [routing, ownership, caa].map(({ verdict }) => verdict);
  if (verdicts.includes('no')) return 1;
  return verdicts.includes('unknown') ? 2 : 0;
}

/** The report for people. */
export function printReport(report: CheckReport): string {
  const { hostname, routing, ownership, caa, issues, records, asked } = report;
  const verdict = (name: string, { verdict: word, code }: Verdict) => `  ${name.padEnd(10)} ${word.padEnd(8)} ${code}`;
  const found = records.discovered as readonly { name: string; type: string; value: string }[];
  const wanted = records.desired as readonly { fqdn: string; type: string; value: string }[];
  return [
    hostname,
    verdict('routing', routing),
    verdict('ownership', ownership),
    verdict('CAA', caa),
    '',
    'wanted:',
    ...wanted.map(({ fqdn, type, value }) => `  ${fqdn}  ${type}  ${value}`),
    'found:',
    ...(found.length === 0 ? ['  nothing'] : found.map(({ name, type, value }) => `  ${name}  ${type}  ${value}`)),
    ...issues.flatMap(({ code, message, fix }) => ['', `${code}: ${message}`, `  to do: ${fix}`]),
    '',
    `${asked.length} questions asked; --json lists them`,
  ].join('\n');
}
