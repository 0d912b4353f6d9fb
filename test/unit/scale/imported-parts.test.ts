import { describe, expect, it } from '@jest/globals';
import type { ImportedPart } from '../../scale/imported-parts.ts';
import { importFindings } from '../../scale/imported-parts.ts';

const part: ImportedPart = {
  count: 100,
  seconds: 20,
  written: 2_000,
  operatorWrites: 1_500,
  played: 400,
  checks: 800,
  packets: 8_000,
  peak: 200,
  replayedWrites: 25,
  plainRate: 125,
};

interface Row {
  readonly name: string;
  readonly why: string;
  readonly parts: readonly ImportedPart[];
  readonly share: number;
}

const rows: readonly Row[] = [
  {
    name: 'is how long the plain client takes for as many writes, as a share of ours',
    why: 'fails if writes or seconds are left out: 2,000 writes take it 16 s, and ours took 20',
    parts: [part],
    share: 0.8,
  },
  {
    name: 'gives each part the weight of its time',
    why: 'fails if the shares 0.8 and 0.2 of the parts are averaged: then a short part could outweigh a long one',
    parts: [part, { ...part, seconds: 80 }],
    share: 0.32,
  },
  {
    name: 'compares each part with the plain client of its own minutes',
    why: 'fails if one rate stands for all: then a machine that becomes slower would count against ours',
    parts: [part, { ...part, seconds: 40, plainRate: 62.5 }],
    share: 0.8,
  },
];

describe('the share of an import of several parts', () => {
  it.each(rows)('$name ($why)', ({ parts, share }) => {
    const found = importFindings(parts).find(({ atLeast }) => atLeast !== undefined);
    expect(found).toMatchObject({ found: share, atLeast: 0.8 });
  });
});
