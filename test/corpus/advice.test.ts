import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDnsChecker } from '../../src/dns/lookup/dns-checker.ts';
import { evaluateDns } from '../../src/dns/verdict/evaluate-dns.ts';
import type { DnsIssue, DnsVerdict } from '../../src/dns/verdict/dns-verdict.ts';
import type { Changes } from './apply-advice.ts';
import { applyAdvice } from './apply-advice.ts';
import type { CorpusName } from './corpus-name.ts';
import type { CorpusServers } from './corpus-servers.ts';
import { inParallel, startCorpus } from './corpus-servers.ts';
import { names } from './names/all-names.ts';
import { target } from './platform.ts';
import { wantedOf } from './wanted-of.ts';

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
const isOpen = (name: CorpusName): boolean => (rounds.get(name)?.at(-1)?.changes.length ?? 0) > 0;

beforeAll(async () => {
  let [open, changed]: [readonly CorpusName[], readonly Changes[]] = [names, []];
  for (let round = 0; round <= followed && open.length > 0; round += 1) {
    const applied = changed;
    servers = await startCorpus(names, (zones) => applyAdvice(zones, applied));
    await checkAll(servers, open);
    await servers.stop();
    servers = undefined;
    open = open.filter(isOpen);
    changed = [...changed, ...open.flatMap((name) => rounds.get(name)?.at(-1)?.changes ?? [])];
  }
}, 900_000);

afterAll(() => servers?.stop());

async function checkAll({ root, hostnames }: CorpusServers, open: readonly CorpusName[]): Promise<void> {
  const dns = createDnsChecker({ roots: [{ address: root, port: 53 }], resolvers: [], permitted: ['127.0.0.0/8'] });
  await inParallel(checks, open, async (name) => {
    const wanted = wantedOf(name, hostnames.get(name) ?? '');
    const { hostname, txt, txtRequired } = wanted;
    const request = { hostname, target, txtName: txt?.name ?? null, txtRequired, caa: true };
    const verdict = evaluateDns(await dns.check(request, new AbortController().signal), wanted);
    const changes = errorsOf(verdict).filter((issue) => issue.delete.length + issue.create.length > 0);
    rounds.set(name, [...(rounds.get(name) ?? []), { verdict, changes }]);
  });
}

const mended = (name: CorpusName): string | null => {
  const verdict = lastOf(name);
  if (!verdict) return 'not checked';
  if (isYes(verdict)) return null;
  const owners = errorsOf(verdict).filter(({ actor }) => actor === 'Owner');
  if (errorsOf(verdict).length > 0 && owners.length === 0) return null;
  return (rounds.get(name) ?? [])
    .map(({ verdict: { routing, ownership, caa, issues } }) =>
      [
        [routing, ownership, caa].map((one) => `${one.verdict} ${one.code}`).join(', '),
        ...issues.map(({ message, fix }) => `    ${message} -> ${fix}`),
      ].join('\n'),
    )
    .join('\n  then ');
};

describe('advice', () => {
  it.each(names.map((name) => [name.name, name] as const))('mends: %s', (_, name) => {
    expect(mended(name)).toBeNull();
  });
});
