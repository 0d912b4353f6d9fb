import { randomInt } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { allCases } from './all-cases.ts';
import type { BoulderVerdict } from './boulder.ts';
import { askBoulder, progress } from './boulder.ts';
import type { CaaInput } from './caa-case.ts';
import { ourVerdict } from './caa-case.ts';
import { generateCases } from './generated-cases.ts';

/**
 * `npm run campaign:caa`: the boulder profile beside Boulder's own code. Fails when they differ about any case but those
 * that are listed with Boulder's own verdict.
 */
const buildingMs = 900_000;
const generated = 20_000;

interface Compared {
  readonly input: CaaInput;
  readonly ours: BoulderVerdict;
  readonly boulder: BoulderVerdict;
}

async function compare(inputs: readonly CaaInput[]): Promise<readonly Compared[]> {
  const verdicts = await askBoulder(inputs);
  return inputs.map((input, index) => {
    const boulder = verdicts[index] ?? 'unknown';
    return { input, ours: ourVerdict(input, 'boulder').verdict, boulder };
  });
}

const shareOf = (compared: readonly Compared[], verdict: BoulderVerdict): number =>
  compared.filter(({ boulder }) => boulder === verdict).length / compared.length;

describe("the boulder profile and Boulder's own code", () => {
  it(
    'agree about every case that was picked by hand, but for those listed',
    async () => {
      const verdicts = await askBoulder(allCases);
      const found = allCases.map(({ sentence }, index) => ({ sentence, boulder: verdicts[index] }));
      const expected = allCases.map((one) => ({ sentence: one.sentence, boulder: one.itself ?? verdictOf(one) }));
      expect(found).toEqual(expected);
      progress(
        `${allCases.length} cases picked by hand, ${allCases.filter(differs).length} of them listed as different`,
      );
    },
    buildingMs,
  );

  it(
    'agree about every generated case',
    async () => {
      const seed = randomInt(0x7fffffff);
      const compared = await compare(generateCases(generated, seed));
      const different = compared.filter(({ ours, boulder }) => ours !== boulder);
      expect({ seed, count: different.length, first: different.slice(0, 5) }).toEqual({ seed, count: 0, first: [] });
      const shares = (['yes', 'no', 'unknown'] as const).map((verdict) => shareOf(compared, verdict));
      expect(Math.min(...shares)).toBeGreaterThan(0.1);
      const percent = shares.map((share) => `${Math.round(share * 100)} %`).join(', ');
      progress(`${generated} generated cases (seed ${seed}): yes, no and unknown are ${percent}`);
    },
    buildingMs,
  );
});

const verdictOf = (input: CaaInput): BoulderVerdict => ourVerdict(input, 'boulder').verdict;
const differs = (one: (typeof allCases)[number]): boolean => one.itself !== undefined && one.itself !== verdictOf(one);
