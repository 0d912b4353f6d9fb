import type { DnsFacts, DnsRecord } from '../model/dns-facts.ts';
import { judgeCaa } from './caa.ts';
import { caaIssues, ownershipIssues, routingIssues } from './differences.ts';
import type { Judgement, Wanted } from './judgement.ts';
import { judgeOwnership } from './ownership.ts';
import { chainRecords, judgeRouting, recordsAt, targetAddresses } from './routing.ts';

/** From what was seen to what it means: three verdicts and what to change. Pure. */
export function judge(facts: DnsFacts, wanted: Wanted): Judgement {
  const zone = facts.names[wanted.hostname]?.zone ?? null;
  const subject = { facts, wanted, zone };
  const routing = judgeRouting(facts, wanted);
  const ownership = judgeOwnership(facts, wanted, routing);
  const caa = judgeCaa(facts, wanted.hostname, wanted.ca);
  return Object.freeze({
    routing,
    ownership,
    caa: { verdict: caa.verdict, code: caa.code },
    corroborated: true,
    issues: [
      ...routingIssues(subject, routing),
      ...ownershipIssues(subject, ownership, routing),
      ...caaIssues(subject, caa),
    ],
    zone,
    nameServers: facts.names[wanted.hostname]?.nameServers ?? [],
    discovered: discovered(facts, wanted),
    targetAddresses: targetAddresses(facts, wanted.target),
  });
}

/** What stands at the hostname, at the end of its aliases, and at the challenge name. */
function discovered(facts: DnsFacts, wanted: Wanted): readonly DnsRecord[] {
  const hostname = recordsAt(facts, wanted.hostname, ['A', 'AAAA']);
  const end = chainRecords(facts, wanted.hostname, ['A', 'AAAA']);
  const txt = wanted.txt ? recordsAt(facts, wanted.txt.name, ['TXT']) : [];
  const all = [...hostname, ...end, ...txt];
  return all.filter((record, index) => all.findIndex((other) => line(other) === line(record)) === index);
}

const line = ({ name, type, value }: DnsRecord): string => `${name} ${type} ${value}`;
