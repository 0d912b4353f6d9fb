import { expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { conformanceDeadlineMs, inZone, useConformance } from '../support/conformance.ts';
import { openConnection } from '../support/exchange.ts';
import { renewCertificate } from '../support/renew-certificate.ts';

/**
 * Connections that are open go on when other hostnames come and go, and when their own certificate is renewed. Fails where an edge closes connections to take
 * up a change.
 */

const fixture = useConformance(import.meta.filename);
const hostname = inZone('www.open-connections');
const upgrade =
  `GET /socket HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
const get = `GET / HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`;
const isAnswered = (text: string) => text.includes('"tenant":"shop-web"');

it(
  'go on, an upgraded one and one that is kept alive',
  async () => {
    const where = { address: fixture().stage.facts.ingressAddress, ca: fixture().ca, hostname };
    const [upgraded, kept] = await Promise.all([openConnection(where), openConnection(where)]);
    await upgraded.say(upgrade, (text) => text.includes(' 101 '));
    await kept.say(get, isAnswered);
    const goOn = async () => {
      expect(await upgraded.say('still there?', (text) => text.includes('still there?'))).toBe('still there?');
      expect(await kept.say(get, isAnswered)).toMatch(/^HTTP\/1\.1 200 /);
    };
    await fixture().remove('projectdomain', 'other');
    await fixture().isGone(inZone('other.open-connections'));
    await goOn();
    const { apiVersion, kind, spec } = later;
    await fixture().stage.kubectl.apply({
      apiVersion,
      kind,
      metadata: { name: later.spec.hostname, namespace: fixture().account },
      spec,
    });
    await fixture().createRecord(later.spec.hostname);
    await fixture().isLive(later.spec.hostname);
    await goOn();
    const before = await fixture().serialNumber(hostname);
    await renewCertificate(fixture().stage.kubectl, fixture().account, hostname);
    await eventually('the next certificate is served', 60_000, async () => {
      expectThat((await fixture().serialNumber(hostname)) !== before, 'it is the one before');
    });
    await goOn();
    upgraded.close();
    kept.close();
    await fixture().remove('projectdomain', later.spec.hostname);
  },
  conformanceDeadlineMs,
);

const later = {
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'ProjectDomain',
  spec: { project: 'other', hostname: inZone('later.open-connections') },
};
