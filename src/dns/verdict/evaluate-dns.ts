import type { DnsFacts, DnsRecord } from '../dns-facts.ts';
import { caaVerdict } from './caa-verdict.ts';
import { caaIssues, ownershipIssues, routingIssues } from './dns-issues.ts';
import type { DnsVerdict, DesiredDns } from './dns-verdict.ts';
import { tokenAddresses } from './platform-addresses.ts';
import { ownershipVerdict } from './ownership-verdict.ts';
import { routingVerdict } from './routing-verdict.ts';
import { chainRecords, recordsAt, targetAddresses } from '../observed-records.ts';

/** Evaluates what a check found: three verdicts, and what to change. Pure. */
export function evaluateDns(facts: DnsFacts, wanted: DesiredDns): DnsVerdict {
  const zone = facts.names[wanted.hostname]?.zone ?? null;
  const subject = { facts, wanted, zone };
  const routing = routingVerdict(facts, wanted);
  const ownership = ownershipVerdict(facts, wanted, routing);
  const caa = caaVerdict(facts, wanted.hostname, wanted.ca);
  return Object.freeze({
    routing: { verdict: routing.verdict, code: routing.code, by: routing.by },
    ownership: { verdict: ownership.verdict, code: ownership.code },
    caa: { verdict: caa.verdict, code: caa.code },
    corroborated: [routing, ownership].every(({ verdict, corroborated }) => verdict === 'yes' && corroborated),
    issues: [
      ...routingIssues(subject, routing),
      ...ownershipIssues(subject, ownership, routing),
      ...caaIssues(subject, caa),
    ],
    zone,
    nameServers: facts.names[wanted.hostname]?.nameServers ?? [],
    discovered: discovered(facts, wanted),
    targetAddresses: targetAddresses(facts, wanted.target),
    needsToken: tokenAddresses(facts, wanted).length > 0,
  });
}

/** The records at the hostname, at the end of its aliases, and at the challenge name. */
function discovered(facts: DnsFacts, wanted: DesiredDns): readonly DnsRecord[] {
  const hostname = recordsAt(facts, wanted.hostname, ['A', 'AAAA']);
  const end = chainRecords(facts, wanted.hostname, ['A', 'AAAA']);
  const txt = wanted.txt ? recordsAt(facts, wanted.txt.name, ['TXT']) : [];
  const found = new Map([...hostname, ...end, ...txt].map((record) => [keyOf(record), record]));
  return [...found.values()].slice(0, shownRecords);
}

/** More than people read; a status also has a limit of its own. */
const shownRecords = 128;

const keyOf = ({ name, type, value }: DnsRecord): string => `${name} ${type} ${value}`;
