import { describe, expect, it } from '@jest/globals';
import * as accepted from '../../../src/rules/codes/accepted-reasons.ts';
import * as account from '../../../src/rules/codes/account-reasons.ts';
import * as certificate from '../../../src/rules/codes/certificate-reasons.ts';
import type { CodeRow } from '../../../src/rules/codes/code-rows.ts';
import { symptoms } from '../../../src/rules/codes/code-rows.ts';
import * as project from '../../../src/rules/codes/project-reasons.ts';
import * as routed from '../../../src/rules/codes/routed-reasons.ts';
import * as verified from '../../../src/rules/codes/verified-reasons.ts';
import { domainStateNames as states } from '../../../src/rules/domain-state.ts';
import { reasonsOf, helpTextOf } from '../../../src/rules/help-text.ts';
import { issueCodes } from '../../../src/rules/issue-params.ts';

type Table = Readonly<Record<string, CodeRow>>;
const tables: readonly Table[] = [
  ...[accepted, account, certificate, project, routed, verified].flatMap((file) => Object.values<Table>(file)),
  issueCodes,
];
const all = [...new Set(tables.flatMap((table) => Object.keys(table)))];

describe('a code that several conditions have', () => {
  const shared = all.filter((code) => tables.filter((table) => Object.hasOwn(table, code)).length > 1);
  it.each(shared)('%s is told in the same words whichever has it', (code) => {
    const rows = tables.flatMap((table) => table[code] ?? []);
    const told = rows.map(({ title, meaning, todo, symptom }) => JSON.stringify([title, meaning, todo, symptom]));
    expect(new Set(told).size).toBe(1);
    const steps = rows.flatMap((row) => ('step' in row ? JSON.stringify(row.step) : []));
    expect(new Set(steps).size).toBeLessThanOrEqual(1);
  });
});

describe('plain words', () => {
  it.each(all)('%s has words of its own', (reason) => {
    expect(helpTextOf('', reason)).not.toEqual(helpTextOf('', 'NoSuchReason'));
  });

  it.each(states.flatMap((state) => ['', 'NoSuchReason', ...all].map((reason) => [state, reason] as const)))(
    '%s with %s says what it is, what it means and what to do, in sentences',
    (state, reason) => {
      const { title, meaning, todo, symptom } = helpTextOf(state, reason);
      expect(title).toMatch(/^[A-Z][^.]{3,54}$/);
      expect(meaning).toMatch(/^[A-Z].*\.$/);
      expect(todo).toMatch(/^[A-Z].*\.$/);
      expect([undefined, ...symptoms]).toContain(symptom);
      for (const text of [title, meaning, todo]) expect(text).not.toMatch(/kubectl|cert-manager|ingress|namespace/i);
    },
  );

  it('what is Live asks for nothing', () => {
    expect(helpTextOf('Live', 'Routed').todo).toMatch(/^Nothing to do/);
  });

  it('what is Degraded by DNS is still served, and not for ever', () => {
    const { meaning, symptom } = helpTextOf('Degraded', 'WrongTarget');
    expect(meaning).toMatch(/^Your domain still works\..*seven days/);
    expect(symptom).toBe('verification-keeps-failing');
  });

  it.each([
    'Unreachable',
    'AccountNotFound',
    'IssuanceFailed',
    'TxtMissing',
    'TxtWrong',
    'NoUsableAnswer',
    'ServersDisagree',
    'DelegationsDiffer',
  ])('what is Degraded by %s is not threatened with suspension', (reason) => {
    expect(helpTextOf('Degraded', reason).meaning).not.toContain('seven days');
  });

  it.each(['StrayAddress', 'AliasLoop', 'PlanUpgradeRequired'])(
    'what is Degraded by %s is told when it stops being served',
    (reason) => {
      expect(helpTextOf('Degraded', reason).meaning).toContain('seven days');
    },
  );

  it('a warning about a Live domain does not say that it is broken', () => {
    expect(helpTextOf('Live', 'TxtMissing').meaning).toMatch(/^Your domain works\./);
  });

  it('a fault that the edge finds does not say that a Live domain works', () => {
    expect(helpTextOf('Live', 'HostnameConflicted').meaning).not.toMatch(/works/);
  });

  it('waiting says what is waited for', () => {
    const titles = ['Pending', 'Unverified', 'Verified'].map((state) => helpTextOf(state, 'Waiting').title);
    expect(new Set(titles).size).toBe(3);
  });

  it('a record that was there once is gone, not awaited', () => {
    expect(helpTextOf('Degraded', 'RecordMissing').title).toMatch(/gone/);
    expect(helpTextOf('Degraded', 'RecordMissing').meaning).toContain('seven days');
    expect(helpTextOf('Unverified', 'RecordMissing').title).toMatch(/^We can’t see/);
  });

  it.each(['', ...all])('what is Suspended says that it is not served, whatever the reason (%s)', (reason) => {
    const { title, todo } = helpTextOf('Suspended', reason);
    expect(title).toBe('No longer served');
    const isOthers = reason === 'SuspendedByAdministrator' || reason === 'ParentDeleted';
    expect(todo).toMatch(isOthers ? /^Nothing to do/ : /verify again/);
  });

  it.each(symptoms)('%s has reasons', (symptom) => {
    expect(reasonsOf(symptom)).not.toEqual([]);
  });
});
