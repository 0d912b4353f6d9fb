import { isRegistrySuffix } from '../../rules/hostname.ts';
import { doubledName, mistakenNames, mistakenTxtNames, nobodyBelow } from '../../rules/mistaken-names.ts';
import { isWildcard } from '../../rules/wildcard.ts';
import type { CheckRequest, DnsOutcome, RecordType } from '../dns-facts.ts';
import { outcomesAt, recordsAt } from '../observed-records.ts';
import type { Check } from './lookup-chain.ts';
import { observeSome, zoneOf } from './lookup-chain.ts';

const namesOf = ({ observations }: Check) => ({ names: observations.names() });

const isAbsent = ({ kind }: DnsOutcome): boolean => kind === 'nxdomain' || kind === 'nodata';

/**
 * Where there is no record, looks for it where a form or its owner may have put it; and where a registry itself answers with one, whether that is
 * its wildcard, which shows at a name that nobody has. Four packets at most where servers answer and nothing is found.
 */
export async function observeOtherNames(check: Check, { hostname }: CheckRequest): Promise<void> {
  const facts = namesOf(check);
  const zone = facts.names[hostname]?.zone ?? null;
  if (zone === null || zone === '') return;
  const outcomes = outcomesAt(facts, hostname, ['A', 'AAAA']);
  const isRegistry = isRegistrySuffix(zone);
  if (isRegistry) return observeIn(check, hostname, { names: present(nobodyBelow(hostname)), type: 'A' });
  if (!outcomes.some(isAbsent)) return;
  const names = present(doubledName(hostname, zone), ...mistakenNames(hostname, zone));
  await observeBesideNobody(check, { hostname, zone }, { names, type: 'A' });
}

const present = (...names: readonly (string | null)[]): readonly string[] => names.flatMap((name) => name ?? []);

interface Some {
  readonly names: readonly string[];
  readonly type: 'A' | 'TXT';
}

/** Where anything is found, asks about names that nobody has too: what they show alike is a wildcard's, and at none of the names on purpose. */
async function observeBesideNobody(
  check: Check,
  { hostname, zone }: { readonly hostname: string; readonly zone: string },
  some: Some,
): Promise<void> {
  await observeIn(check, hostname, some);
  const facts = namesOf(check);
  if (!some.names.some((name) => recordsAt(facts, name, [some.type]).length > 0)) return;
  const nobody = nobodyBelow(zone);
  const names = present(nobody, nobody === null ? null : doubledName(nobody, zone));
  await observeIn(check, hostname, { names, type: some.type });
}

/** The same for the ownership record, where one is needed that is not there. Ten packets at most where servers answer and nothing is found. */
export async function observeOtherTexts(check: Check, request: CheckRequest): Promise<void> {
  const { hostname, txtName, txtRequired } = request;
  const facts = namesOf(check);
  const zone = facts.names[hostname]?.zone ?? null;
  if (txtName === null || zone === null || isRegistrySuffix(zone) || isWildcard(hostname)) return;
  const hasAddresses = recordsAt(facts, hostname, ['A', 'AAAA']).some(({ type }) => type !== 'CNAME');
  const isNeeded = txtRequired || hasAddresses || hostname === zone;
  if (!isNeeded || !outcomesAt(facts, txtName, ['TXT']).some(isAbsent)) return;
  const names = present(doubledName(txtName, zone), ...mistakenTxtNames(hostname, zone));
  await observeBesideNobody(check, { hostname, zone }, { names, type: 'TXT' });
}

/** The HTTPS record of a hostname with addresses of its own, at which browsers look first. Two packets at most where servers answer. */
export async function observeHttps(check: Check, { hostname }: CheckRequest): Promise<void> {
  const facts = namesOf(check);
  const zone = facts.names[hostname]?.zone ?? null;
  const hasAddresses = recordsAt(facts, hostname, ['A', 'AAAA']).some(({ type }) => type !== 'CNAME');
  if (zone === null || isRegistrySuffix(zone) || !hasAddresses) return;
  await observeIn(check, hostname, { names: [hostname], type: 'HTTPS' });
}

/** In the zone of the hostname, which is known: that costs no packet. */
async function observeIn(
  check: Check,
  hostname: string,
  some: { readonly names: readonly string[]; readonly type: RecordType },
): Promise<void> {
  const cut = await zoneOf(check, hostname, ['A']);
  if (cut !== null) await observeSome(check, cut, some);
}
