import { expect, it } from '@jest/globals';
import { useConformance } from '../support/conformance.ts';

/** A hostname of 213 characters, three labels of which have 63, is served like any other. */

const ground = useConformance(import.meta.filename);

it('answers', async () => {
  const [hostname = ''] = ground().hostnames;
  const { status, body } = await ground().ask(hostname);
  expect([status, JSON.parse(body)]).toEqual([200, expect.objectContaining({ host: hostname })]);
});
