import { createDnsChecker } from '../../dns/lookup/dns-checker.ts';
import type { AskedQuestion } from '../../dns/dns-facts.ts';
import { desiredRecords } from '../../rules/desired-records.ts';
import { checkOf } from '../../dns/verdict/desired-dns.ts';
import { evaluateForAccounts } from '../../dns/verdict/evaluate-dns.ts';
import type { DnsVerdict, DesiredDns } from '../../dns/verdict/dns-verdict.ts';
import { printEachIssue } from '../domain-summary.ts';
import { onlyName } from '../cluster-options.ts';
import { setupOfHostname } from './check-arguments.ts';
import { setupOfDomain } from './check-domain.ts';
import { checkOptions, rejectContradictions } from './check-options.ts';
import type { CheckSetup } from './check-setup.ts';
import type { Explanation } from './explanation.ts';
import { explain, printExplanation } from './explanation.ts';
import { writeResult } from '../terminal-output.ts';

export const usage = `usage: projectdomain check <hostname> --target T [options]
       projectdomain check NAME [-n NS] [options]

Checks DNS as the operator does and says what is right, what is wrong, and what to change. With --target it needs no
cluster. Without it, NAME is a domain in the cluster (a hostname or an object's name): its target and ownership record
come from its status, everything else from the operator's configuration.

  --target T              the project's CNAME target, as shown in status.records
  --txt VALUE             the exact ownership TXT value that is expected
  --txt-required          it is required even where the target is found: another account proved the hostname
  --config FILE           the operator's configuration file, which says all that follows up to --method
  --roots ADDR[:PORT]     root server at which resolution starts; its port is used for every server
  --resolver ADDR[:PORT]  a recursive resolver to fall back on; may be repeated
  --platform-address IP   an address of the platform's ingress; may be repeated
  --ca DOMAIN             check CAA for this issuer domain; may be repeated
  --method M              the validation method that will be used; default http-01 (RFC 8657)
  --account-uri U         the ACME account that will order (RFC 8657)
  --explain               what each server answered, and in what time
  --json                  one JSON object instead of text

  -n, --namespace NS      the domain's namespace; default: the context's
  --system-namespace NS   where the operator's ConfigMap is; default projectdomain-system
  --kubeconfig FILE       the cluster; default: $KUBECONFIG or ~/.kube/config
  --context NAME          the kubeconfig's context; default: the current one

exit status: 0 verified, 1 not, 2 unknown, 3 wrong usage`;

/** What `check --json` prints. */
export interface CheckReport extends Pick<DnsVerdict, 'issues' | 'zone' | 'nameServers'> {
  readonly hostname: string;
  readonly routing: Verdict;
  readonly ownership: Verdict;
  readonly caa: Verdict;
  readonly records: { readonly desired: readonly object[]; readonly discovered: readonly object[] };
  /** what the doctor does not know and the operator does */
  readonly notes: readonly string[];
  readonly explanation: Explanation;
  readonly asked: readonly AskedQuestion[];
}

type Verdict = Pick<DnsVerdict['caa'], 'verdict' | 'code'>;

/** Checks once, with the same code as the operator, and prints what it found. Gives the exit status. */
export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = checkOptions(args);
  rejectContradictions(values);
  const { target } = values;
  const name = onlyName(positionals, target === undefined ? 'hostname or name' : 'hostname');
  const setup = target === undefined ? await setupOfDomain(name, values) : setupOfHostname(name, target, values);
  const report = await reportOn(setup);
  writeResult(report, values.json, (shown) => printReport(shown, values.explain ?? false));
  return exitStatus(report);
}

async function reportOn({ wanted, accounts, checker, notes }: CheckSetup): Promise<CheckReport> {
  const facts = await createDnsChecker(checker).check(checkOf(wanted), new AbortController().signal);
  const verdict = evaluateForAccounts(facts, wanted, accounts);
  const { routing, ownership, caa, issues, discovered, zone, nameServers } = verdict;
  return {
    hostname: wanted.hostname,
    routing: { verdict: routing.verdict, code: routing.code },
    ownership,
    caa,
    issues,
    zone,
    nameServers,
    records: { desired: desired(verdict, wanted), discovered },
    notes,
    explanation: explain(facts),
    asked: facts.asked,
  };
}

function desired({ zone, records }: DnsVerdict, { hostname, target, txt }: DesiredDns): readonly object[] {
  return desiredRecords({ hostname, zone, target, txt: txt?.value ?? null }).map((record) => {
    const finding = records.find(({ purpose }) => purpose === record.purpose);
    return { ...record, status: finding?.status ?? 'Unknown', found: finding?.found ?? [] };
  });
}

/** 0 when all three verdicts are yes, 1 when one is no, 2 when one is unknown and none is no. */
function exitStatus({ routing, ownership, caa }: CheckReport): 0 | 1 | 2 {
  const verdicts = [routing, ownership, caa].map(({ verdict }) => verdict);
  if (verdicts.includes('no')) return 1;
  return verdicts.includes('unknown') ? 2 : 0;
}

/** The report for people. */
export function printReport(report: CheckReport, isExplained: boolean): string {
  const { hostname, routing, ownership, caa, issues, records, notes, explanation, asked } = report;
  const verdict = (name: string, { verdict: word, code }: Verdict) => `  ${name.padEnd(10)} ${word.padEnd(8)} ${code}`;
  const found = records.discovered as readonly { name: string; type: string; value: string }[];
  const wanted = records.desired as readonly { fqdn: string; type: string; value: string; status: string }[];
  return [
    hostname,
    verdict('routing', routing),
    verdict('ownership', ownership),
    verdict('CAA', caa),
    '',
    'needed:',
    ...wanted.map(({ fqdn, type, value, status }) => `  ${fqdn}  ${type}  ${value}  (${status})`),
    'found:',
    ...(found.length === 0 ? ['  nothing'] : found.map(({ name, type, value }) => `  ${name}  ${type}  ${value}`)),
    ...printEachIssue(issues).flatMap((text) => ['', text]),
    ...notes.flatMap((note) => ['', `note: ${note}`]),
    '',
    ...(isExplained
      ? printExplanation(explanation, asked)
      : [`${asked.length} queries sent; --explain shows what each server answered`]),
  ].join('\n');
}
