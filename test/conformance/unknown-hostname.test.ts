import { expect, it } from '@jest/globals';
import { inZone, useConformance } from '../support/conformance.ts';
import { handshake } from '../support/exchange.ts';

/** What nobody has added is not served. Fails where an edge shows a customer's certificate, or a customer's project, to whoever asks for something else. */

const fixture = useConformance(import.meta.filename);
const unknown = inZone('other.unknown-hostname');

it('is not served over http', async () => {
  const { status, body } = await fixture().askHttp(unknown);
  expect([status, body.includes('shop-web')]).toEqual([404, false]);
});

it('has no certificate', async () => {
  await expect(fixture().ask(unknown)).rejects.toThrow();
});

it.each([
  ['an unknown name', unknown],
  ['no name', null],
])('a handshake with %s shows no certificate of a customer', async (_, servername) => {
  const { ingressAddress: address } = fixture().stage.facts;
  const shown = await handshake({ address, servername, ca: null }).catch(() => null);
  expect(shown?.certificate.subjectaltname ?? '').not.toContain(inZone(''));
});

it('is answered over HTTPS by no project, where a visitor accepts whatever certificate', async () => {
  const answer = await fixture()
    .exchange(unknown, { ca: null })
    .catch(() => null);
  expect(answer?.status ?? 404).toBe(404);
});
