import { describe, expect, it } from '@jest/globals';
import { helpTextOf } from '../../../src/rules/help-text.ts';
import { english } from '../../../src/dashboard/words/catalogue.ts';
import { createWords } from '../../../src/dashboard/words/words.ts';

/** The times that customers are told to expect: fails when a page promises another. */
describe('the time that a customer is told', () => {
  it.each([
    ['for a change of DNS', 'Unverified', 'RecordMissing', /within minutes; some take up to 48 hours/],
    ['for a certificate', 'Verified', 'Issuing', /within a couple of minutes/],
    ['after which a certificate is late', 'Verified', 'IssuanceOverdue', /30 have passed/],
  ])('%s', (_, state, reason, time) => {
    expect(helpTextOf(state, reason).meaning).toMatch(time);
  });

  it('to act on a late certificate comes with what to do', () => {
    expect(helpTextOf('Verified', 'IssuanceOverdue').todo).toMatch(/Re-verify.*new attempt/);
  });
});

const chapters = createWords(english).chapters;

/** What customers would take for a fault unless somebody says why it is so. */
describe('a customer is told the reason', () => {
  it.each([
    [
      'of a text beside an ALIAS',
      'verification-keeps-failing',
      /TXT record too.*addresses, which many customers share/,
    ],
    ['for a connection that is not private', 'connection-not-private', /certificate hasn’t been issued yet/],
    ['for a certificate that a browser keeps', 'connection-not-private', /browser has cached an old certificate/],
    ['for redirects that misbehave', 'redirects-misbehave', /redirects \(301, 308\) are cached aggressively/],
  ] as const)('%s', (_, chapter, words) => {
    expect(chapters[chapter].causes.filter((cause) => words.test(cause))).toHaveLength(1);
  });
});
