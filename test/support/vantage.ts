import type { CheckRequest, DnsFacts } from '../../src/dns/dns-facts.ts';
import { addresses, facts, name } from './dns-facts.ts';

export const hostname = 'www.example.com';
export const target = 'p-mine.cname.apps.example.net';

export const fullCheck: CheckRequest = Object.freeze({
  hostname,
  target,
  txtName: `_projectdomain-challenge.${hostname}`,
  txtRequired: false,
  caa: true,
});

/** What a check of the hostname finds where everything is right. */
export const rightFacts: DnsFacts = facts(hostname, [
  name(hostname, [addresses(`-> ${target}`), addresses(`-> ${target}`)]),
]);

export const token = 'a-token-of-thirty-two-characters-or-more';
