import { aborted } from '../../src/lib/clock.ts';
import { issueView } from '../../src/use-cases/issue-view.ts';
import type { DnsFindings, DnsLookup } from '../../src/use-cases/dns-lookup-port.ts';

/** What is found about a name of an empty zone at nobody in particular. */
export const emptyZone: DnsFindings = {
  zone: 'example.com',
  nameServers: ['ns1.example.com'],
  dnsHost: null,
  found: [],
  routing: { verdict: 'no', code: 'RecordMissing' },
  ownership: { verdict: 'no', code: 'RecordMissing' },
  caa: { verdict: 'yes', code: 'Verified' },
  issues: [issueView({ code: 'RecordMissing', message: 'there is no record', record: '', fix: 'create it' })],
  recordFindings: [{ purpose: 'Routing', status: 'Missing', found: [] }],
  routedBy: null,
};

/** Finds the same at once, whatever is asked; but nothing ever answers about names that begin with `silent`. */
export const emptyDns: DnsLookup = {
  async look({ hostname }, signal) {
    if (hostname.startsWith('silent')) await aborted(signal);
    return emptyZone;
  },
};
