import { X509Certificate } from 'node:crypto';
import { afterAll, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { conformanceDeadlineMs, inZone, useConformance } from '../support/conformance.ts';
import { handshake } from '../support/exchange.ts';
import { forgeRoute } from '../support/forged-route.ts';
import { certificateMaker, names, ofServer } from '../support/made-certificates.ts';

/**
 * A certificate that names another account's hostname besides its own is not shown for it: what stands behind the admission policy, which keeps
 * tenants from such a Secret. Fails where an edge chooses certificates by the names in them.
 */

const fixture = useConformance(import.meta.filename);
const hostname = inZone('www.certificate-choice');
/** Where the first namespace wins, it is this one. */
const attacker = 'a-certificate-choice';
const forgedHostname = inZone('www.a-certificate-choice');
const maker = certificateMaker();
const undo: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const step of undo) await step();
  maker.remove();
});

it(
  'is shown for its own hostname alone',
  async () => {
    const { stage } = fixture();
    const { ingressAddress: address, routing } = stage.facts;
    const shownFor = async (servername: string) =>
      new X509Certificate((await handshake({ address, servername, ca: null })).chain[0] ?? '').fingerprint256;
    const own = await shownFor(hostname);
    const forged = new Set<string>();
    /** With each of them an edge chooses anew; with what only looks like a change some do not. */
    const forge = async (): Promise<string> => {
      const { pem, key } = maker.make({
        subject: `/CN=${forgedHostname}`,
        extensions: [...ofServer, names(forgedHostname, hostname)],
      });
      const { fingerprint256 } = new X509Certificate(pem);
      forged.add(fingerprint256);
      await stage.kubectl.apply({
        apiVersion: 'v1',
        kind: 'Secret',
        type: 'kubernetes.io/tls',
        metadata: { name: 'forged', namespace: attacker },
        stringData: { 'tls.crt': pem, 'tls.key': key },
      });
      return fingerprint256;
    };
    await stage.account(attacker, 'business');
    const service = `${attacker}-web`;
    await (await stage.tenant(attacker, service)).becomeReady();
    const first = await forge();
    const route = { namespace: attacker, hostname: forgedHostname, secretName: 'forged', service };
    undo.push(await forgeRoute(stage.kubectl, routing, route));
    const isShown = (fingerprint256: string) =>
      eventually('the forged certificate is shown for its own hostname', 60_000, async () => {
        expectThat((await shownFor(forgedHostname)) === fingerprint256, 'another one is shown');
      });
    await isShown(first);

    const isByNames = fixture().exceptions.certificatesByName ?? false;
    const shown = new Set<string>();
    const isTaken = () => [...shown].some((fingerprint256) => forged.has(fingerprint256));
    // Where an edge chooses among both, a few times in a row may be the right one.
    for (let change = 0; change < (isByNames ? 40 : 5) && !isTaken(); change += 1) {
      if (change > 0) await isShown(await forge());
      for (let times = 0; times < 10; times += 1) shown.add(await shownFor(hostname));
    }
    expect(isTaken()).toBe(isByNames);
    if (!isByNames) expect([...shown]).toEqual([own]);
    const { body } = await fixture().exchange(hostname, { ca: null });
    expect(body.toString()).toContain('"shop-web"');
  },
  conformanceDeadlineMs,
);
