import type { DnsVerdict } from '../../src/dns/verdict/dns-verdict.ts';

/**
 * DNS packets of one look, on average over hosts of two, three and four servers in equal parts, as `npm run bench:dns`
 * counts them (docs/figures.md). A look that finds no usable answer may use up its whole budget.
 */
const packetCosts = { confirmation: 3, full: 18, unanswered: 100 } as const;

export function packetsOf(verdict: DnsVerdict): number {
  if (verdict.routing.verdict === 'unknown') return packetCosts.unanswered;
  return verdict.isConfirmation ? packetCosts.confirmation : packetCosts.full;
}
