import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { conformanceDeadlineMs, inZone, useConformance } from '../support/conformance.ts';
import { handshake } from '../support/exchange.ts';
import { certificateMaker, names, ofServer } from '../support/made-certificates.ts';

/**
 * A certificate that a customer sends is served, and when it is given up an automatic one again. Fails where an edge does not take up another Secret for a hostname,
 * or has a moment without any.
 */

const fixture = useConformance(import.meta.filename);
const hostname = inZone('www.own-certificate');
const maker = certificateMaker();
let isOver = false;
afterAll(() => {
  isOver = true;
  maker.remove();
});

it(
  'is shown, and then no more',
  async () => {
    const { root, intermediate } = maker.authorities();
    const own = maker.make({
      by: intermediate,
      subject: `/CN=${hostname}`,
      extensions: [...ofServer, names(hostname)],
    });
    const { stage, account } = fixture();
    const ca = Buffer.concat([readFileSync(stage.facts.acmeRoot), Buffer.from(`\n${root.pem}`)]);
    const shown = async () => {
      const { chain } = await handshake({ address: stage.facts.ingressAddress, servername: hostname, ca });
      return new X509Certificate(chain[0] ?? '').fingerprint256;
    };
    const rest = await stage.rest(account);
    const path = `/v1/projects/shop/domains/${hostname}/certificate`;
    const certificate = [own, intermediate, root].map(({ pem }) => pem).join('');
    const { fingerprint256 } = new X509Certificate(own.pem);
    const becomes = (what: string, isRight: (fingerprint: string) => boolean) =>
      eventually(what, 60_000, async () => expectThat(isRight(await shown()), 'another one is shown'));

    const visitors = handshakes(shown);
    const { status, body } = await rest(path, { method: 'PUT', body: { certificate, privateKey: own.key } });
    expect([status, body]).toEqual([200, expect.objectContaining({ names: [hostname] })]);
    await becomes('the own certificate is shown', (fingerprint) => fingerprint === fingerprint256);
    await eventually('it is known to be served', 60_000, async () => {
      expectThat((await rest(path)).body.served === true, 'not yet');
    });
    expect((await rest(path, { method: 'DELETE' })).status).toBeLessThan(300);
    await becomes('an automatic one is shown', (fingerprint) => fingerprint !== fingerprint256);
    const { failed } = await visitors.end();
    expect(failed).toEqual([]);
  },
  conformanceDeadlineMs,
);

/** Handshakes one after the other until they are ended. */
function handshakes(shake: () => Promise<string>) {
  const failed: string[] = [];
  let asked = 0;
  const go = async () => {
    while (!isOver) {
      await shake().catch((error: Error) => failed.push(error.message));
      asked += 1;
    }
  };
  const going = go();
  return {
    async end() {
      isOver = true;
      await going;
      return { failed, asked };
    },
  };
}
