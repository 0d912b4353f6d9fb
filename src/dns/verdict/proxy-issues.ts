import type { DnsFacts } from '../dns-facts.ts';
import { cdnOf } from '../../rules/cdn-ranges.ts';
import { tokenPath } from '../../rules/domain-token.ts';
import type { ProxyCode } from '../../rules/verdict-codes.ts';
import { verdictCodes } from '../../rules/verdict-codes.ts';
import type { DesiredDns, DnsIssue } from './dns-verdict.ts';
import { tokenAddresses } from './platform-addresses.ts';

interface Subject {
  readonly facts: DnsFacts;
  readonly wanted: DesiredDns;
  readonly zone: string | null;
}

/** What stands in front of a hostname and does not lead here, with what to change there. */
export function proxyIssue({ facts, wanted, zone }: Subject, code: ProxyCode): DnsIssue {
  const { hostname, cnameDomain } = wanted;
  const addresses = tokenAddresses(facts, wanted);
  const cdn = addresses.map((address) => cdnOf(address, wanted.cdnRanges)).find((name) => name !== null) ?? null;
  const sentence = verdictCodes[code].sentence({ name: hostname, zone: zone ?? hostname, cnameDomain, authority: '' });
  const where = [cdn, ...addresses].filter((text) => text !== null).join(', ');
  return { code, message: `${sentence} (${where})`, record: '', fix: acts[code](wanted, cdn ?? 'the CDN or proxy') };
}

/** The act at the CDN comes first; to give the CDN up is the last resort. */
const acts: Readonly<Record<ProxyCode, (wanted: DesiredDns, cdn: string) => string>> = {
  BehindCdn: ({ hostname, target }, cdn) =>
    `at ${cdn}, make ${target} the origin of ${hostname}, pass the Host header on as ${hostname}, and cache nothing below ${tokenPath}; only where that is not possible, switch the proxy off for ${hostname} (DNS only) and create ${hostname}. CNAME ${target}.`,
  CdnForbids: ({ hostname }, cdn) =>
    `at ${cdn}, let requests for ${hostname}${tokenPath} and ${hostname}/.well-known/acme-challenge/ pass its firewall and bot protection`,
  CdnRedirectLoop: ({ hostname }, cdn) =>
    `at ${cdn}, connect to the origin of ${hostname} by https whenever visitors use https (mode "Full"), or stop redirecting ${tokenPath} there`,
  CdnNeedsOriginCertificate: ({ hostname }, cdn) =>
    `at ${cdn}, do not verify the origin's certificate of ${hostname} (mode "Full") until this domain is Live; then its certificate is there, and "Full (strict)" works`,
};
