import { expect, it } from '@jest/globals';
import { useConformance } from '../support/conformance.ts';

/** A hostname of ten labels, the most that a certificate is issued for, is served like any other. Fails where an edge, or the name of an object, is limited by labels. */

const fixture = useConformance(import.meta.filename);

it('answers', async () => {
  const [hostname = ''] = fixture().hostnames;
  expect(hostname.split('.')).toHaveLength(10);
  const { status, body } = await fixture().ask(hostname);
  expect([status, JSON.parse(body)]).toEqual([200, expect.objectContaining({ host: hostname })]);
});
