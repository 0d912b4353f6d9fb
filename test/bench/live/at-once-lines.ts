import { shareOf } from '../share-of.ts';
import type { AddedAtOnce } from './add-at-once.ts';
import type { ServedAtOnce } from './handshakes-at-once.ts';

interface AtOnce {
  readonly ours: AddedAtOnce;
  readonly caddy: ServedAtOnce;
}

/** What came of so many names at once, as tables of Markdown. */
export const atOnceLines = (count: number, { ours, caddy }: AtOnce): readonly string[] => [
  `| ${count} names at once, s | done | shortest | median | 95 of 100 | longest | all |`,
  '|---|---|---|---|---|---|---|',
  row('with an AcmeIssuer, from Add to Live', ours.live, ours.tookMs),
  ...(caddy.tookMs > 1 ? [row('Caddy, TLS on demand, from the first handshake', caddy.served, caddy.tookMs)] : []),
  '',
  '| objects that came with them | count | for each domain |',
  '|---|---|---|',
  ...[...ours.added].map(([kind, added]) => `| ${kind} | ${added} | ${(added / count).toFixed(2)} |`),
];

function row(what: string, all: readonly number[], tookMs: number): string {
  const seconds = [...[0, 0.5, 0.95, 1].map((part) => shareOf(all, part)), tookMs].map((ms) => (ms / 1_000).toFixed(1));
  return `| ${[what, all.length, ...seconds].join(' | ')} |`;
}
