import { describe, expect, it } from '@jest/globals';
import { nextStepOf } from '../../../src/rules/next-step.ts';
import { verdictCodes } from '../../../src/rules/verdict-codes.ts';
import { appliedCases, formCases, laterCases } from '../../browser/robot-cases.ts';
import { fates } from '../../browser/robot-fates.ts';
import { names } from '../../corpus/names/all-names.ts';

/** The robot of test/browser brings every state to an end that a customer can; the rest is somebody else's, by name. */

const cases = [...formCases, ...appliedCases];
const known: readonly string[] = [...cases.map(({ name }) => name), ...laterCases];
const codes = Object.keys(fates);

const stepOf = (reason: string) =>
  nextStepOf({ state: 'Unverified', reason, issues: [], waits: null }, { nextCheckAt: null, refusal: null });

describe('every reason and verdict code', () => {
  it.each(Object.entries(fates))('%s: the robot ends it, or its page names who does', (code, fate) => {
    const { kind, actor } = stepOf(code);
    if ('cases' in fate) {
      expect(fate.cases.filter((name) => !known.includes(name))).toEqual([]);
      // A domain that waits for its customer has an action of theirs.
      expect([code, kind]).not.toEqual([code, null]);
      return;
    }
    expect([code, kind, actor]).toEqual([code, fate.action, fate.who]);
  });

  it('a verdict code without a line is given by a name of the corpus, whose advice is followed there', () => {
    const given = names.flatMap(({ routing, ownership, caa }) => [routing, ownership, caa]);
    const unproven = Object.keys(verdictCodes).filter(
      (code) => !codes.includes(code) && !given.some((verdict) => verdict.split(' ')[1] === code),
    );
    expect(unproven).toEqual([]);
  });

  it('every case of the robot is there for a code, and begins with it', () => {
    const named = Object.values(fates).flatMap((fate) => ('cases' in fate ? fate.cases : []));
    expect(known.filter((name) => !named.includes(name))).toEqual([]);
    expect(cases.filter(({ code }) => !codes.includes(code)).map(({ name }) => name)).toEqual([]);
    const wrong = cases.filter(({ name, code }) => {
      const fate = Object.entries(fates).find(([reason]) => reason === code)?.[1];
      return fate === undefined || !('cases' in fate) || !fate.cases.includes(name);
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });
});
