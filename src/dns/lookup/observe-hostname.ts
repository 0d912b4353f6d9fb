import { isRegistrySuffix } from '../../rules/hostname.ts';
import { doubledName, mistakenNames, mistakenTxtNames, nobodyBelow } from '../../rules/mistaken-names.ts';
import { baseOf, isWildcard } from '../../rules/wildcard.ts';
import type { CheckRequest, DnsOutcome } from '../dns-facts.ts';
import { chainNames, outcomesAt, recordsAt, withNamesAbove } from '../observed-records.ts';
import type { Check, SomeNames } from './lookup-chain.ts';
import { observeChain, observeName, observeSome, zoneOf } from './lookup-chain.ts';

/** The ownership record, and the target's own addresses unless they are needed, are queried only where the exact target does not decide. */
export async function observeHostname(check: Check, request: CheckRequest): Promise<void> {
  const { hostname, target, txtName, txtRequired, delegationName, caa } = request;
  // At the name, of a wildcard at its base, and at each name above it (RFC 8659 section 3): all at once, as most have none anywhere.
  const observeCaa = () =>
    Promise.all(withNamesAbove(baseOf(hostname)).map((start) => observeChain(check, { start, types: ['CAA'] })));
  const observeTxt = () => txtName !== null && observeChain(check, { start: txtName, types: ['TXT'] });
  await Promise.all([
    observeChain(check, { start: hostname, types: ['A', 'AAAA'], end: target }),
    txtRequired && observeTxt(),
    delegationName !== undefined && observeName(check, delegationName, ['TXT']),
    caa && observeCaa(),
  ]);
  if (leadsToTarget(check, request)) {
    await Promise.all([observeNeededTarget(check, request), txtRequired && observeOtherTexts(check, request)]);
    return;
  }
  await Promise.all([
    observeChain(check, { start: target, types: ['A', 'AAAA'] }),
    !txtRequired && observeTxt(),
    observeOtherNames(check, request),
    observeHttps(check, request),
  ]);
  await observeOtherTexts(check, request);
}

/** What shows that the hostname still leads here: IPv6 addresses only where IPv4 ones are, as a CNAME is one for both. */
export async function confirmHostname(check: Check, request: CheckRequest): Promise<void> {
  const { hostname, target } = request;
  await observeChain(check, { start: hostname, types: ['A'], end: target });
  if (leadsToTarget(check, request)) return observeNeededTarget(check, request);
  await observeChain(check, { start: hostname, types: ['AAAA'], end: target });
}

async function observeNeededTarget(check: Check, { target, needsTargetAddresses }: CheckRequest): Promise<void> {
  if (needsTargetAddresses) await observeChain(check, { start: target, types: ['A', 'AAAA'] });
}

/** True when an alias leads to the exact target and no source shows an address on the way. */
function leadsToTarget({ observations }: Check, { hostname, target }: CheckRequest): boolean {
  const facts = { names: observations.names() };
  const chain = chainNames(facts, hostname, ['A', 'AAAA']);
  const onTheWay = chain.filter((name) => name !== target);
  const hasAddress = onTheWay.some((name) =>
    outcomesAt(facts, name, ['A', 'AAAA']).some((one) => one.kind === 'records' || hasBeside(one)),
  );
  return chain.includes(target) && !hasAddress;
}

const hasBeside = (outcome: DnsOutcome): boolean => outcome.kind === 'alias' && outcome.beside !== undefined;

/** What was seen so far, with the zone of the hostname and whether it has addresses of its own. */
function seenOf({ observations }: Check, hostname: string) {
  const facts = { names: observations.names() };
  const hasAddresses = recordsAt(facts, hostname, ['A', 'AAAA']).some(({ type }) => type !== 'CNAME');
  return { facts, zone: facts.names[hostname]?.zone ?? null, hasAddresses };
}

const isAbsent = ({ kind }: DnsOutcome): boolean => kind === 'nxdomain' || kind === 'nodata';

/**
 * Where there is no record, looks for it where a form or its owner may have put it; and where a registry itself answers with one, whether that is
 * its wildcard, which shows at a name that nobody has. Four packets at most where servers answer and nothing is found.
 */
async function observeOtherNames(check: Check, { hostname }: CheckRequest): Promise<void> {
  const { facts, zone } = seenOf(check, hostname);
  if (zone === null || zone === '') return;
  if (isRegistrySuffix(zone)) return observeIn(check, hostname, { names: present(nobodyBelow(hostname)), type: 'A' });
  if (!outcomesAt(facts, hostname, ['A', 'AAAA']).some(isAbsent)) return;
  const names = present(doubledName(hostname, zone), ...mistakenNames(hostname, zone));
  await observeBesideNobody(check, { hostname, zone }, { names, type: 'A' });
}

const present = (...names: readonly (string | null)[]): readonly string[] => names.flatMap((name) => name ?? []);

/** Where anything is found, asks about names that nobody has too: what they show alike is a wildcard's, and at none of the names on purpose. */
async function observeBesideNobody(
  check: Check,
  { hostname, zone }: { readonly hostname: string; readonly zone: string },
  some: SomeNames,
): Promise<void> {
  await observeIn(check, hostname, some);
  const { facts } = seenOf(check, hostname);
  if (!some.names.some((name) => recordsAt(facts, name, [some.type]).length > 0)) return;
  const nobody = nobodyBelow(zone);
  const names = present(nobody, nobody === null ? null : doubledName(nobody, zone));
  await observeIn(check, hostname, { names, type: some.type });
}

/** The same for the ownership record, where one is needed that is not there. Ten packets at most where servers answer and nothing is found. */
async function observeOtherTexts(check: Check, request: CheckRequest): Promise<void> {
  const { hostname, txtName, txtRequired } = request;
  const { facts, zone, hasAddresses } = seenOf(check, hostname);
  if (txtName === null || zone === null || isRegistrySuffix(zone) || isWildcard(hostname)) return;
  const isNeeded = txtRequired || hasAddresses || hostname === zone;
  if (!isNeeded || !outcomesAt(facts, txtName, ['TXT']).some(isAbsent)) return;
  const names = present(doubledName(txtName, zone), ...mistakenTxtNames(hostname, zone));
  await observeBesideNobody(check, { hostname, zone }, { names, type: 'TXT' });
}

/** The HTTPS record of a hostname with addresses of its own, at which browsers look first. Two packets at most where servers answer. */
async function observeHttps(check: Check, { hostname }: CheckRequest): Promise<void> {
  const { zone, hasAddresses } = seenOf(check, hostname);
  if (zone === null || isRegistrySuffix(zone) || !hasAddresses) return;
  await observeIn(check, hostname, { names: [hostname], type: 'HTTPS' });
}

/** In the zone of the hostname, which is known: that costs no packet. */
async function observeIn(check: Check, hostname: string, some: SomeNames): Promise<void> {
  const cut = await zoneOf(check, hostname, ['A']);
  if (cut !== null) await observeSome(check, cut, some);
}
