import { expect, it } from '@jest/globals';
import { useConformance } from '../support/conformance.ts';

/** A hostname of 213 characters, three labels of which have 63, is served like any other. */

const fixture = useConformance(import.meta.filename);

it('answers', async () => {
  const [hostname = ''] = fixture().hostnames;
  const { status, body } = await fixture().ask(hostname);
  expect([status, JSON.parse(body)]).toEqual([200, expect.objectContaining({ host: hostname })]);
});
