import { resolverOutcome } from '../../src/dns/lookup/answer-outcome.ts';
import { exchange } from '../../src/dns/wire/dns-exchange.ts';
import type { DnsFacts, NameFacts, RecordType } from '../../src/dns/dns-facts.ts';
import type { DesiredDns } from '../../src/dns/verdict/dns-verdict.ts';

/** as long as a check may take */
const patienceMs = 6_000;
const source = 'resolver';

/** What a recursive resolver says of a hostname, its target and its ownership record, as the facts of a check. */
export async function factsOfResolver(
  address: string,
  { hostname, target, txt, delegation }: DesiredDns,
): Promise<DnsFacts> {
  const names: Record<string, NameFacts> = {};
  const questions: readonly (readonly [string, RecordType])[] = [
    [hostname, 'A'],
    [hostname, 'AAAA'],
    [target, 'A'],
    [target, 'AAAA'],
    ...[txt, delegation].flatMap((one) => (one ? [[one.name, 'TXT'] as const] : [])),
  ];
  const answers = await Promise.all(questions.map(([name, type]) => ask(address, name, type)));
  for (const [index, [start, type]] of questions.entries()) {
    const response = answers[index] ?? 'timeout';
    for (let name: string | null = start; name !== null;) {
      const outcome = resolverOutcome(name, type, response);
      const before: NameFacts = names[name] ?? { ...nothingKnown, name };
      const outcomes = { ...before.resolvers[0]?.outcomes, [type]: outcome };
      names[name] = { ...before, resolvers: [{ source, outcomes }] };
      name =
        outcome.kind === 'alias' && !names[outcome.record.value]?.resolvers[0]?.outcomes[type]
          ? outcome.record.value
          : null;
    }
  }
  return { hostname, names, asked: [] };
}

const nothingKnown = { zone: null, nameServers: [], cuts: [], differing: null, authorities: [], resolvers: [] };

/** Without the limits of a check. */
const ask = (address: string, name: string, type: RecordType) =>
  exchange(
    { address, port: 53 },
    { name, type, recursive: true },
    {
      signal: new AbortController().signal,
      allowance: { packet: () => true, bytes: () => true, answered: () => undefined },
      edns: true,
      timeoutMs: patienceMs,
    },
  );
