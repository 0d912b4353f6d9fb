import { describe, expect, it } from '@jest/globals';
import { dnssecFaultKinds } from '../../../src/rules/dnssec-sentences.ts';
import type { IssueAct } from '../../../src/rules/issue-acts.ts';
import { actSentence, hoursUntilSeen, issueActs } from '../../../src/rules/issue-acts.ts';
import type { IssueCode } from '../../../src/rules/issue-params.ts';
import { issueCodes, issueParams, issueSentence } from '../../../src/rules/issue-params.ts';
import type { IssuePlace } from '../../../src/rules/codes/code-rows.ts';

/**
 * An issue carries what its sentences mention and nothing else, so that a page can say them in another language. A
 * sentence that mentions more than the parameters of its code or act fails here.
 */

const place: IssuePlace = {
  name: '<name>',
  zone: '<zone>',
  cnameDomain: '<cnameDomain>',
  authority: '<authority>',
  addresses: '<addresses>',
  value: '<value>',
  elsewhere: '<elsewhere>',
  types: '<types>',
  behind: '<behind>',
  cdn: '<cdn>',
  target: '<target>',
  fault: '<fault>',
  server: '<server>',
  records: '<records>',
  signers: '<signers>',
  keys: '<keys>',
  codes: '<codes>',
  at: '<at>',
  edge: '<edge>',
  said: '<said>',
  service: '<service>',
  secret: '<secret>',
  object: '<object>',
  by: '<by>',
};
const mentioned = (text: string): readonly string[] =>
  [...new Set([...text.matchAll(/<(\w+)>/g)].map(([, name]) => name ?? ''))].toSorted();
const record = { name: 'www', fqdn: 'www.example.com', type: 'ALIAS', value: 'target.test' };
const records = { delete: [], create: [record] };

describe('what the sentence mentions is what the issue carries', () => {
  /** Parameters that choose between sentences, with all their values. */
  const choices: Readonly<Partial<Record<IssueCode, readonly Partial<IssuePlace>[]>>> = {
    DnssecBogus: dnssecFaultKinds.map((fault) => ({ fault })),
  };

  it.each(Object.keys(issueCodes) as IssueCode[])('of the code %s', (code) => {
    const chosen = choices[code] ?? [{}];
    const sentences = chosen.map((choice) => issueSentence(code, { ...place, ...choice }));
    const params = issueParams(place, { code, ofAct: [] });
    const choosing = chosen.flatMap((choice) => Object.keys(choice));
    expect([...new Set([...mentioned(sentences.join()), ...choosing])].toSorted()).toEqual(
      Object.keys(params).toSorted(),
    );
    expect(new Set(sentences).size).toBe(chosen.length);
    for (const choice of chosen)
      expect(issueSentence(code, { ...params, ...choice })).toBe(issueSentence(code, { ...place, ...choice }));
  });

  it.each(Object.keys(issueActs) as IssueAct[])('of the act %s', (act) => {
    const { params } = issueActs[act];
    expect(mentioned(actSentence(act, { params: place, ...records }))).toEqual([...params].toSorted());
  });
});

describe('what has to be done', () => {
  const www = (type: string, value: string) => ({ name: 'www', fqdn: 'www.example.com', type, value });

  it.each<[string, IssueAct, Parameters<typeof actSentence>[1], string]>([
    [
      'names each record as a master file does',
      'ChangeRecords',
      { params: {}, delete: [www('A', '192.0.2.1'), www('TXT', 'v=1')], create: [www('CNAME', 'target.test')] },
      'delete www.example.com. A 192.0.2.1 and www.example.com. TXT v=1 and create www.example.com. CNAME target.test.',
    ],
    [
      'names a type where there are too many records of it',
      'ChangeRecords',
      { params: {}, delete: [www('A', '*')], create: [] },
      'delete every A record of www.example.com.',
    ],
    [
      'gives the addresses to hosts without ALIAS',
      'ChangeRecords',
      { params: { addresses: '192.0.2.1' }, delete: [], create: [www('ALIAS', 'target.test')] },
      'create an ALIAS or ANAME record at www.example.com with value target.test (or address records 192.0.2.1)',
    ],
    [
      'names no addresses where none are known',
      'ChangeRecords',
      { params: {}, delete: [], create: [www('ALIAS', 'target.test')] },
      'create an ALIAS or ANAME record at www.example.com with value target.test',
    ],
    [
      'quotes the short name where the long one was the mistake',
      'EnterShortName',
      { params: {}, delete: [www('CNAME', 'target.test')], create: [www('CNAME', 'target.test')] },
      "delete www.example.com. CNAME target.test. and create one with the name 'www' and the value target.test",
    ],
  ])('%s', (_, act, subject, sentence) => {
    expect(actSentence(act, subject)).toBe(sentence);
  });

  it('may take two days to be seen only where a registry has to publish it', () => {
    expect((['Owner', 'DnsHost', 'Registrar', 'Platform'] as const).map(hoursUntilSeen)).toEqual([
      null,
      null,
      48,
      null,
    ]);
  });
});
