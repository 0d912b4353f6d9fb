import { setTimeout as sleep } from 'node:timers/promises';
import { createDnsChecker } from '../../src/dns/lookup/dns-checker.ts';
import { dnsOfHosts, roots, target } from '../support/dns-hosts.ts';
import { startStopwatch } from './stopwatch.ts';

const endpoints = roots.map((address) => ({ address, port: 53 }));

/** What a check took, and the servers that it sent packets to. */
export interface Cost {
  readonly ms: number;
  readonly sent: readonly string[];
}

/** Checks of a process of its own whose name servers are so far away. Rejects where a check did not work. */
export function checkerAt(roundTripMs: number, permitted: readonly string[] = []) {
  const dns = dnsOfHosts();
  const checker = createDnsChecker({ roots: endpoints, resolvers: [], permitted }, async (...query) => {
    if (roundTripMs > 0) await sleep(roundTripMs);
    return dns.exchange(...query);
  });
  return async (hostname: string, isConfirmation = false): Promise<Cost> => {
    const [before, watch] = [dns.sent.length, startStopwatch()];
    const txtName = `_projectdomain-challenge.${hostname}`;
    const request = { hostname, target, txtName, txtRequired: false, caa: true, isConfirmation };
    const facts = await checker.check(request, new AbortController().signal);
    if (!JSON.stringify(facts.names[hostname]).includes(target))
      throw new Error(`the check of ${hostname} did not work`);
    return { ms: watch.ms(), sent: dns.sent.slice(before) };
  };
}
