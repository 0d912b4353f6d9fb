import { describe, expect, it } from '@jest/globals';
import { desiredRecords } from '../../../src/rules/desired-records.ts';

const [target, txt] = ['p-x.cname.apps.example.net', 'projectdomain-verify=x'];

/** Field by field, what a customer types into the form of a DNS host: fails when one of them is another than was promised. */
describe('the record to create', () => {
  it.each<[what: string, hostname: string, txt: string | null, records: readonly (readonly unknown[])[]]>([
    ['of a subdomain is a CNAME at its label', 'www.example.com', null, [['CNAME', 'www', target, 3600]]],
    ['of a longer subdomain is a CNAME at its labels', 'a.b.example.com', null, [['CNAME', 'a.b', target, 3600]]],
    [
      'of an apex is an ALIAS or ANAME at the zone itself, never a CNAME, and a text that proves it',
      'example.com',
      txt,
      [
        ['ALIAS', '@', target, 3600],
        ['TXT', '_projectdomain-challenge', txt, 3600],
      ],
    ],
  ])('%s', (_, hostname, ownership, records) => {
    const desired = desiredRecords({ hostname, zone: 'example.com', target, txt: ownership });
    expect(desired.map(({ type, name, value, ttl }) => [type, name, value, ttl])).toEqual(records);
  });
});
