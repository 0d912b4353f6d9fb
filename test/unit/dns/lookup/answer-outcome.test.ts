import { describe, expect, it } from '@jest/globals';
import type { DnsRecord, RecordType } from '../../../../src/dns/dns-facts.ts';
import { authorityOutcome } from '../../../../src/dns/lookup/answer-outcome.ts';
import { empty, record } from '../../../support/scripted-exchange.ts';

const name = 'www.example.com';
const cname = (value: string) => record(name, 'CNAME', value);
const a = record(name, 'A', '192.0.2.7');

const outcome = (type: RecordType, ...answers: readonly DnsRecord[]) =>
  authorityOutcome(name, type, { ...empty, answers });

/** Fails when the order of an answer decides what is in it. */
describe('what must not be beside a CNAME', () => {
  it.each<[string, DnsRecord[], DnsRecord[]]>([
    ['two of them', [cname('b.test'), cname('a.test')], [cname('a.test'), cname('b.test')]],
    ['an address', [cname('a.test'), a], [cname('a.test'), a]],
    ['both', [a, cname('b.test'), cname('a.test')], [cname('a.test'), cname('b.test'), a]],
  ])('%s: all of it is told, in the same order', (_, answers, [first, ...beside]) => {
    for (const order of [answers, answers.toReversed()])
      expect(outcome('A', ...order)).toEqual({ kind: 'alias', record: first, beside });
  });

  it('is not the same one twice, nor what is at the end of the alias', () => {
    const end = record('a.test', 'A', '192.0.2.7');
    expect(outcome('A', cname('a.test'), cname('a.test'), end)).toEqual({ kind: 'alias', record: cname('a.test') });
  });

  it('does not hide a CAA set, as a set decides', () => {
    const caa = record(name, 'CAA', '0 issue "ca.test"');
    expect(outcome('CAA', cname('a.test'), caa)).toEqual({ kind: 'records', records: [caa] });
  });
});

describe('a response code', () => {
  it.each([
    ['SERVFAIL', { cause: 'servfail' }],
    ['REFUSED', { cause: 'refused' }],
    ['RCODE1', { cause: 'error-code', code: 'FORMERR' }],
    ['RCODE4', { cause: 'error-code', code: 'NOTIMP' }],
    ['RCODE9', { cause: 'error-code', code: 'NOTAUTH' }],
    ['RCODE11', { cause: 'error-code', code: 'RCODE11' }],
  ])('%s is told by its name', (rcode, told) => {
    expect(authorityOutcome(name, 'CAA', { ...empty, rcode })).toEqual({ kind: 'unknown', ...told });
  });
});
