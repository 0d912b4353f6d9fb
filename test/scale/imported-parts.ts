import type { Finding } from './stages.ts';

/** What one part of an import found. */
export interface ImportedPart {
  /** domains */
  readonly count: number;
  /** from the first Add until the last one was Live */
  readonly seconds: number;
  /** by whoever added the domains, the operator and the player */
  readonly written: number;
  readonly operatorWrites: number;
  readonly played: number;
  readonly checks: number;
  readonly packets: number;
  /** resident memory of the operator, MiB */
  readonly peak: number;
  /** the writes of one domain that the plain client replays */
  readonly replayedWrites: number;
  /** writes a second of the plain client, right before and after */
  readonly plainRate: number;
}

/** The operator's writes and the player's a second, beside those of a client that does nothing else. */
const rateAtLeast = 0.8;

/** The plain client's seconds for the same writes, as a share of ours. */
const shareOf = (parts: readonly ImportedPart[]): number =>
  sumOf(parts, ({ written, plainRate }) => written / plainRate) / sumOf(parts, ({ seconds }) => seconds);

/** Of all parts together. */
export function importFindings(parts: readonly ImportedPart[]): readonly Finding[] {
  const imported = sumOf(parts, ({ count }) => count);
  const rate = (seconds: number) => Number((imported / seconds).toFixed(1));
  const each = (of: (part: ImportedPart) => number) => Number((sumOf(parts, of) / imported).toFixed(2));
  const shares = parts.map((part) => shareOf([part])).map((share) => share.toFixed(2));
  return [
    { what: 'domains that were imported', found: imported },
    { what: 'imported to Live, domains a second', found: rate(sumOf(parts, ({ seconds }) => seconds)) },
    {
      what: 'the same by a plain client, domains a second',
      found: rate(sumOf(parts, ({ count, replayedWrites, plainRate }) => (count * replayedWrites) / plainRate)),
    },
    {
      what: `writes a second, as a share of those of the plain client (part by part: ${shares.join(', ')})`,
      found: Number(shareOf(parts).toFixed(2)),
      atLeast: rateAtLeast,
    },
    { what: 'the writes of one domain that the plain client replays', found: parts[0]?.replayedWrites ?? 0 },
    { what: "the operator's writes for each", found: each(({ operatorWrites }) => operatorWrites) },
    { what: "the player's writes for each", found: each(({ played }) => played) },
    { what: 'looks for each', found: each(({ checks }) => checks) },
    { what: 'packets for each', found: each(({ packets }) => packets) },
    {
      what: 'operator: peak resident memory of an import, MiB',
      found: Math.max(...parts.map(({ peak }) => peak)),
    },
  ];
}

const sumOf = (parts: readonly ImportedPart[], of: (part: ImportedPart) => number): number =>
  parts.reduce((sum, part) => sum + of(part), 0);
