import type { DnsVerdict } from '../../src/dns/verdict/dns-verdict.ts';
import { verdict } from '../support/snapshot.ts';
import type { DnsAnswer } from './simulated-faults.ts';

const unknown = { verdict: 'unknown', code: 'NoUsableAnswer', by: null } as const;
const missing = { verdict: 'no', code: 'RecordMissing', by: null } as const;

const full: Readonly<Record<DnsAnswer, DnsVerdict>> = Object.freeze({
  yes: verdict({ dnssec: 'Valid' }),
  no: verdict({ routing: missing, ownership: missing }),
  unknown: verdict({ routing: unknown, ownership: unknown, caa: unknown, corroborated: false }),
});

const confirmations = Object.freeze(
  Object.fromEntries(Object.entries(full).map(([answer, of]) => [answer, { ...of, isConfirmation: true }])),
) as Readonly<Record<DnsAnswer, DnsVerdict>>;

/** The verdict of a full look at a hostname whose DNS answers so. */
export const verdictOf = (answer: DnsAnswer): DnsVerdict => full[answer];

/** The verdict of a look that only confirms that a Live hostname still leads here. */
export const confirmationOf = (answer: DnsAnswer): DnsVerdict => confirmations[answer];
