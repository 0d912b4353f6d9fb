import { describe, expect, it } from '@jest/globals';
import type { OverlappingClaim } from '../../../src/rules/hostname-claims.ts';
import { decideOverlap } from '../../../src/rules/hostname-claims.ts';
import { fc } from '../../support/property.ts';

/** A wildcard and a hostname that it includes are never held by two accounts, whatever races. */

const other = (phase: OverlappingClaim['phase'], account = 'theirs', hostname = 'www.example.com') => ({
  hostname,
  account,
  phase,
});

describe('one rule decides before a claim is Held', () => {
  it.each<[string, string, readonly OverlappingClaim[], string]>([
    ['a hostname with no wildcard above it is held', 'www.example.com', [], 'Hold'],
    ['a hostname gives way to a wildcard that is held', 'www.example.com', [other('Held')], 'GiveWay'],
    ['and to one whose route is being withdrawn', 'www.example.com', [other('Releasing')], 'GiveWay'],
    ['a hostname waits for a wildcard that is not decided', 'www.example.com', [other('Pending')], 'Wait'],
    ['a wildcard gives way to a hostname that is held, suspended or not', '*.example.com', [other('Held')], 'GiveWay'],
    ['and to one that is not decided', '*.example.com', [other('Pending')], 'GiveWay'],
    ['what the same account has keeps neither from being held', '*.example.com', [other('Held', 'ours')], 'Hold'],
    ['nor the hostname', 'www.example.com', [other('Held', 'ours')], 'Hold'],
    [
      'one of another account among its own decides',
      '*.example.com',
      [other('Held', 'ours'), other('Held')],
      'GiveWay',
    ],
  ])('%s', (_title, hostname, others, decision) => {
    expect(decideOverlap(hostname, 'ours', others)).toBe(decision);
  });
});

/** Claims in a cluster as the kube-apiserver keeps them: each with a version, changed only by whoever read it. */
interface Stored {
  readonly phase: OverlappingClaim['phase'];
  readonly version: number;
}

const names = ['*.example.com', 'a.example.com', 'b.example.com', 'c.example.com'] as const;
type Name = (typeof names)[number];
/** the wildcard's account has one of the hostnames as well */
const accounts: Readonly<Record<Name, string>> = {
  '*.example.com': 'w',
  'a.example.com': 'x',
  'b.example.com': 'y',
  'c.example.com': 'w',
};
const acts = ['prove', 'look', 'decide', 'remove'] as const;

const overlapsWith = (name: Name): readonly Name[] => (name === names[0] ? names.slice(1) : [names[0]]);

interface Look {
  readonly version: number;
  readonly others: readonly OverlappingClaim[];
  readonly asked: number;
}

type Act = (typeof acts)[number];
type Step = readonly [Name, Act];

/** The kube-apiserver, with one actor for each name, whose steps may come in any order and long after each other. */
function createRace() {
  const stored = new Map<Name, Stored>();
  const seen = new Map<Name, Look>();
  let version = 0;
  const put = (name: Name, phase: Stored['phase']) => stored.set(name, { phase, version: (version += 1) });

  const perform: Readonly<Record<Act, (name: Name) => void>> = {
    prove(name) {
      if (!stored.has(name)) put(name, 'Pending');
    },
    remove(name) {
      if (stored.get(name)?.phase === 'Held') stored.delete(name);
    },
    /** Claims are asked for one after the other. */
    look(name) {
      const own = stored.get(name);
      if (own?.phase !== 'Pending') return;
      const before = seen.get(name);
      const now = before?.version === own.version ? before : { version: own.version, others: [], asked: 0 };
      const asked = overlapsWith(name)[now.asked];
      const found = asked && stored.get(asked);
      const others = found ? [{ hostname: asked, account: accounts[asked], phase: found.phase }] : [];
      seen.set(name, { ...now, others: [...now.others, ...others], asked: now.asked + 1 });
    },
    /** What was looked at counts only for the very claim that was there then. */
    decide(name) {
      const look = seen.get(name);
      const isDecidable = look?.version === stored.get(name)?.version;
      if (!look || !isDecidable || look.asked < overlapsWith(name).length) return;
      const decision = decideOverlap(name, accounts[name], look.others);
      if (decision === 'Hold') put(name, 'Held');
      if (decision === 'GiveWay') stored.delete(name);
      seen.delete(name);
    },
  };
  const held = () => names.filter((one) => stored.get(one)?.phase === 'Held');
  return { perform, held };
}

/** What was held at once by two accounts, although it overlaps; null where nothing was. */
function play(steps: readonly Step[]): string | null {
  const race = createRace();
  for (const [name, act] of steps) {
    race.perform[act](name);
    const held = race.held();
    if (held.includes(names[0]) && held.some((one) => accounts[one] !== 'w')) return held.join(' ');
  }
  return null;
}

describe('claims that race', () => {
  const step = fc.tuple(fc.constantFrom(...names), fc.constantFrom(...acts));

  it('never come to be held by two accounts, in whatever order their steps come', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => play(steps) === null),
      { numRuns: 3_000 },
    );
  });

  it('leave a hostname waiting while a wildcard is decided that may not have seen it', () => {
    const whole = (name: Name) => overlapsWith(name).map(() => [name, 'look'] as const);
    const [wildcard, a] = names;
    const steps = [[wildcard, 'prove'], ...whole(wildcard), [a, 'prove'], ...whole(a), [a, 'decide']] as const;
    expect(play([...steps, [wildcard, 'decide']])).toBeNull();
  });
});
