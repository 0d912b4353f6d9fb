import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDnsChecker } from '../../src/dns/lookup/dns-checker.ts';
import { evaluateDns } from '../../src/dns/verdict/evaluate-dns.ts';
import type { DesiredDns, DnsIssue, DnsRecordRef, DnsVerdict } from '../../src/dns/verdict/dns-verdict.ts';
import { isWithin, registrableDomain } from '../../src/rules/hostname.ts';
import type { Changes } from './apply-advice.ts';
import { applyAdvice } from './apply-advice.ts';
import type { CorpusName } from './corpus-name.ts';
import type { CorpusServers } from './corpus-servers.ts';
import { inParallel, startCorpus } from './corpus-servers.ts';
import { names } from './names/all-names.ts';
import { addressOfTarget, platformAddresses, target } from './platform.ts';
import { requestFor, wantedOf } from './wanted-of.ts';

/**
 * Every advice is followed, on real servers: what the issues list is deleted and created, the servers start again, and
 * the name is checked again. Fails when a name that its owner can mend is not mended by that, or when a record that is
 * right would be deleted.
 */

interface Round {
  readonly verdict: DnsVerdict;
  readonly changes: readonly Changes[];
}

/** checks of each name: before, and after each time that the advice was followed */
const rounds = new Map<CorpusName, Round[]>();
let servers: CorpusServers | undefined;
const followed = 3;
const checks = 12;

const errorsOf = ({ issues }: DnsVerdict): readonly DnsIssue[] => issues.filter(({ severity }) => severity === 'Error');
const isYes = ({ routing, ownership, caa }: DnsVerdict): boolean =>
  [routing, ownership, caa].every(({ verdict }) => verdict === 'yes');
const lastOf = (name: CorpusName): DnsVerdict | undefined => rounds.get(name)?.at(-1)?.verdict;
let hostnames: ReadonlyMap<CorpusName, string> = new Map();
const isOpen = (name: CorpusName): boolean => (rounds.get(name)?.at(-1)?.changes.length ?? 0) > 0;

beforeAll(async () => {
  let [open, changed]: [readonly CorpusName[], readonly Changes[]] = [names, []];
  for (let round = 0; round <= followed && open.length > 0; round += 1) {
    const applied = changed;
    servers = await startCorpus(names, (zones) => applyAdvice(zones, applied));
    hostnames = servers.hostnames;
    await checkAll(servers, open);
    await servers.stop();
    servers = undefined;
    open = open.filter(isOpen);
    changed = [...changed, ...open.flatMap((name) => rounds.get(name)?.at(-1)?.changes ?? [])];
  }
}, 900_000);

afterAll(() => servers?.stop());

async function checkAll({ root }: CorpusServers, open: readonly CorpusName[]): Promise<void> {
  const dns = createDnsChecker({ roots: [{ address: root, port: 53 }], resolvers: [], permitted: ['127.0.0.0/8'] });
  await inParallel(checks, open, async (name) => {
    const wanted = wantedOf(name, hostnames.get(name) ?? '');
    const verdict = evaluateDns(await dns.check(requestFor(wanted), new AbortController().signal), wanted);
    const changes = errorsOf(verdict).filter((issue) => issue.delete.length + issue.create.length > 0);
    rounds.set(name, [...(rounds.get(name) ?? []), { verdict, changes }]);
  });
}

/** Names that stay as they are although only their owner can act, and why. */
const exceptions: ReadonlyMap<string, string> = new Map([
  [
    'a hostname too long for an ownership record that is required',
    'DNS has no room for the record: the owner has to use another name, which no change of records does',
  ],
  ...[
    'with a delegation to the present host',
    'with a challenge of the present host',
    'whose challenge name is a zone of its own',
  ].map(
    (what) =>
      [
        `a prepared hostname ${what}`,
        'the present host needs what is there: the owner has to switch without preparing',
      ] as const,
  ),
  ...['has NXDOMAIN for TXT', 'has nothing for TXT'].map(
    (what) =>
      [
        `an apex whose only server ${what}`,
        'the server denies every TXT record, also one that its zone has: no answer shows the difference',
      ] as const,
  ),
]);

/** Null if the last check was a yes, or if somebody else has to act; otherwise what each check said. */
function unmended(name: CorpusName): string | null {
  const checked = rounds.get(name) ?? [];
  const last = checked.at(-1)?.verdict;
  if (last && isYes(last)) return null;
  const errors = last ? errorsOf(last) : [];
  if (errors.length > 0 && errors.every(({ actor }) => actor !== 'Owner')) return null;
  return checked.map(({ verdict }) => printed(verdict)).join('\nthen ');
}

const parts = ['routing', 'ownership', 'caa'] as const;

const printed = (verdict: DnsVerdict): string =>
  [
    parts.map((part) => `${part} ${verdict[part].verdict} ${verdict[part].code}`).join(', '),
    ...verdict.issues.map(({ message, fix }) => `  ${message} -> ${fix}`),
  ].join('\n');

const everyIssue = (name: CorpusName) => (rounds.get(name) ?? []).flatMap(({ verdict }) => verdict.issues);
const wantedBy = (name: CorpusName): DesiredDns => wantedOf(name, hostnames.get(name) ?? '');

/**
 * What nobody must ever be told to delete: a desired record, an address of ours that no CNAME replaces, and everything
 * that is not the owner's.
 */
function isKept(name: CorpusName, { fqdn, type, value }: DnsRecordRef, { create }: DnsIssue): boolean {
  const { hostname, txt } = wantedBy(name);
  const isDesired = [
    fqdn === hostname && type === 'CNAME' && value === target && lastOf(name)?.zone !== hostname,
    fqdn === txt?.name && type === 'TXT' && value === txt.value,
    [...platformAddresses, addressOfTarget].includes(value) && !create.some((one) => one.type === 'CNAME'),
  ].includes(true);
  return isDesired || !isWithin(fqdn, registrableDomain(hostname)) || ['NS', 'SOA'].includes(type);
}

describe('advice that is followed', () => {
  it.each(names.map((name) => [name.name, name] as const))('mends: %s', (_, name) => {
    const failure = unmended(name);
    expect(exceptions.has(name.name) ? failure === null : failure).toEqual(exceptions.has(name.name) ? false : null);
  });

  it('deletes nothing that is desired, and nothing that is not the owner’s', () => {
    const wrong = names.flatMap((name) =>
      everyIssue(name).flatMap((one) => one.delete.filter((ref) => isKept(name, ref, one))),
    );
    expect(wrong).toEqual([]);
  });

  it('creates records of the owner’s only, and deletes none of them', () => {
    const key = ({ fqdn, type, value }: DnsRecordRef) => `${fqdn} ${type} ${value}`;
    const wrong = names.flatMap((name) =>
      everyIssue(name).flatMap(({ create, ...one }) =>
        create.filter(
          (ref) =>
            !isWithin(ref.fqdn, registrableDomain(wantedBy(name).hostname)) || one.delete.map(key).includes(key(ref)),
        ),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('takes away no verdict that was a yes', () => {
    const lost = names.flatMap((name) =>
      (rounds.get(name) ?? []).flatMap(({ verdict }, round, all) => {
        const next = all[round + 1]?.verdict;
        const isLost = next && parts.some((part) => verdict[part].verdict === 'yes' && next[part].verdict === 'no');
        return isLost ? [`${name.name}: ${printed(verdict)}\nthen ${printed(next)}`] : [];
      }),
    );
    expect(lost).toEqual([]);
  });

  it('always has an act: an issue of the owner’s says what to delete or to create', () => {
    const empty = names.flatMap((name) =>
      everyIssue(name).filter(
        ({ act, create, ...one }) => act === 'ChangeRecords' && create.length + one.delete.length === 0,
      ),
    );
    expect(empty).toEqual([]);
  });
});
