import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Authority, TestIngress } from '../../support/ingress.ts';
import { answering, createAuthority, hostname } from '../../support/ingress.ts';

/**
 * A tenant's Service answers the probe with something that leads on, to the metadata address of a cloud or into the cluster.
 * The probe asks one configured address once, follows nothing and reads no body.
 */

let authority: Authority;
let inside: TestIngress;

beforeAll(async () => {
  authority = createAuthority();
  inside = await authority.ingress({ plain: (socket) => socket.end() });
});

afterAll(async () => {
  await inside.stop();
  authority.remove();
});

const signal = new AbortController().signal;
const metadata = 'http://169.254.169.254/latest/meta-data/';

describe('an answer that leads on', () => {
  it.each<[string, string, boolean]>([
    ['a redirect to the metadata address', `HTTP/1.1 302 Found\r\nLocation: ${metadata}\r\n\r\n`, true],
    ['a permanent one', `HTTP/1.1 308 Permanent Redirect\r\nLocation: ${metadata}\r\n\r\n`, true],
    ['a refresh', `HTTP/1.1 200 OK\r\nRefresh: 0; url=${metadata}\r\n\r\n`, true],
    ['an alternative service', `HTTP/1.1 200 OK\r\nAlt-Svc: h2="169.254.169.254:80"\r\n\r\n`, true],
    [
      'an early hint',
      `HTTP/1.1 103 Early Hints\r\nLink: <${metadata}>; rel=preload\r\n\r\nHTTP/1.1 200 OK\r\n\r\n`,
      true,
    ],
    ['a proxy to be used', `HTTP/1.1 305 Use Proxy\r\nLocation: ${metadata}\r\n\r\n`, true],
    ['a demand to identify', 'HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Negotiate\r\n\r\n', true],
    ['a change of protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n', false],
  ])(
    '%s is not followed',
    async (_, answer, ok) => {
      const ingress = await authority.ingress({ secure: answering(answer) });
      try {
        const { probe, notAfter } = ingress;
        expect((await probe.ask({ hostname, notAfter }, signal)).ok).toBe(ok);
        expect(ingress.connections()).toBe(1);
      } finally {
        await ingress.stop();
      }
    },
    15_000,
  );

  it('is asked for by nothing but a HEAD of the root, with the hostname and without credentials', async () => {
    let asked = '';
    const ingress = await authority.ingress({
      secure: (socket) => {
        socket.once('data', (bytes: Buffer) => {
          asked = bytes.toString('latin1');
          socket.write('HTTP/1.1 200 OK\r\n\r\n');
        });
      },
    });
    await ingress.probe.ask({ hostname, notAfter: ingress.notAfter }, signal);
    await ingress.stop();
    const [line, ...fields] = asked.trim().split('\r\n');
    expect(line).toBe('HEAD / HTTP/1.1');
    expect(fields.map((field) => field.toLowerCase()).toSorted()).toEqual([
      'connection: close',
      `host: ${hostname}`,
      'user-agent: projectdomain-probe',
    ]);
  });
});
