import { describe, expect, it } from '@jest/globals';
import { hostnameOf, sizeOf } from '../../scale/made-names.ts';
import { wordsOf } from '../../scale/recorded-writes.ts';
import { renderWrites } from '../../scale/replay.ts';

const words = wordsOf({ account: 'seller-00tmpl', number: 'tmpl-d', target: 'p-recorded.cname.example' });
const uid = '3e869cc5-5079-47b9-8daa-57f02318d78f';
const recorded = {
  words,
  writes: [
    {
      method: 'POST',
      path: `/namespaces/${words.account}/projectdomains`,
      byOperator: false,
      body: { spec: { hostname: words.hostname } },
    },
    {
      method: 'PATCH',
      path: `/namespaces/${words.account}/certificates/${words.childName}?force=true`,
      byOperator: true,
      body: { owner: uid, again: uid, target: words.target, csr: words.signingRequest, project: words.project },
    },
  ],
} as const;
const size = sizeOf(10_000);
const domains = [
  [10_000, 'p-first.cname.example'],
  [10_001, 'p-second.cname.example'],
] as const;

describe('the writes of one domain as those of another', () => {
  const rendered = renderWrites({ recorded, size, domains });

  it('name nothing of the recorded one: a plain client that wrote it again would be told of conflicts', () => {
    const text = JSON.stringify(rendered);
    for (const word of [...Object.values<string>({ ...words }), uid]) expect(text).not.toContain(word);
  });

  it('go where the domain is, by whom they were, in their order', () => {
    expect(rendered[1]?.map(({ method, path, byOperator }) => [method, path.split('?')[0], byOperator])).toEqual([
      ['POST', '/namespaces/seller-000001/projectdomains', false],
      ['PATCH', expect.stringMatching(/^\/namespaces\/seller-000001\/certificates\/pd-/), true],
    ]);
    expect(JSON.parse(rendered[1]?.[0]?.text ?? '')).toEqual({ spec: { hostname: hostnameOf(10_001) } });
  });

  it('have one uid wherever the recorded one had it, and each domain another', () => {
    const bodies = rendered.map((writes) => JSON.parse(writes[1]?.text ?? '') as { owner: string; again: string });
    expect(bodies.every(({ owner, again }) => owner === again)).toBe(true);
    expect(new Set(bodies.map(({ owner }) => owner)).size).toBe(domains.length);
  });
});
