import type { CaaCase, Expected } from '../caa-case.ts';
import { hostname, issuer } from '../caa-case.ts';

/** Flags, and which profiles take them for critical. */
const flags: readonly (readonly [number: number, boulder: boolean, strict: boolean])[] = [
  [0, false, false],
  [1, true, false],
  [2, false, false],
  [3, true, false],
  [64, false, false],
  [126, false, false],
  [127, true, false],
  [128, true, true],
  [129, true, true],
  [130, true, true],
  [254, true, true],
  [255, true, true],
];

/** Tags other than `issue`, and which profiles know them. */
const tags: readonly (readonly [tag: string, boulder: boolean, strict: boolean])[] = [
  ['issuewild', true, true],
  ['IssueWild', true, true],
  ['iodef', true, true],
  ['issuemail', true, false],
  ['issuevmc', true, false],
  ['contactemail', false, false],
  ['contactphone', false, false],
  ['auth', false, false],
  ['path', false, false],
  ['policy', false, false],
  ['future', false, false],
  ['issue2', false, false],
  ['x'.repeat(255), false, false],
];

const verdict = (critical: boolean, known: boolean): Expected => (critical && !known ? 'critical' : 'yes');

/** Every flag with every tag, beside an `issue` property that permits and alone. */
export const flagsAndTags: readonly CaaCase[] = flags.flatMap(([number, ...critical]) =>
  tags.flatMap(([tag, ...known]) => {
    const boulder = verdict(critical[0], known[0]);
    const strict = verdict(critical[1], known[1]);
    const record = [number, tag, 'ca.test'] as const;
    const sentence = `flags ${number} with the tag ${tag.slice(0, 20)}`;
    const rest = { hostname, method: 'http-01', boulder, strict };
    return [
      { ...rest, sentence: `${sentence} alone`, names: { 'example.com': [record] } },
      { ...rest, sentence: `${sentence} beside ours`, names: { 'example.com': [[0, 'issue', issuer], record] } },
    ] satisfies readonly CaaCase[];
  }),
);

/** `issue` in any case, with any flags. */
export const issueTags: readonly CaaCase[] = flags.flatMap(([number]) =>
  ['issue', 'ISSUE', 'iSsUe'].flatMap((tag): readonly CaaCase[] =>
    [issuer, 'ca.test'].map((value) => {
      const expected = value === issuer ? 'yes' : 'authority';
      const sentence = `flags ${number} with the tag ${tag} and the value ${value}`;
      const names = { 'example.com': [[number, tag, value]] as const };
      return { sentence, hostname, method: 'http-01', names, boulder: expected, strict: expected };
    }),
  ),
);
