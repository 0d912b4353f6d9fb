import { createServer } from 'node:http';
import { expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { inState } from '../../dev/story/stage.ts';
import { conformanceDeadlineMs, inZone, useConformance } from '../support/conformance.ts';
import { readConformanceFacts } from '../support/conformance-facts.ts';
import { handshake } from '../support/exchange.ts';
import { recordOf } from '../support/published-domain.ts';
import { visitInTurn } from '../support/visits.ts';

/**
 * A wildcard serves every hostname one label below its base, and a hostname of its own goes before it. Fails where an edge asks the wildcard first, has it
 * answer for deeper names, or leaves a hostname without an answer while its own route comes or goes.
 */

const fixture = useConformance(import.meta.filename, {
  isLive: false,
  services: [{ name: 'docs-web', server: createServer((_, response) => response.end('docs')) }],
});
const base = inZone('wildcard');
const [wildcard, any, exact, deeper] = [`*.${base}`, `any.${base}`, `docs.${base}`, `a.any.${base}`] as const;
const itWithWildcards = readConformanceFacts().servesWildcards ? it : it.skip;

const protocolOf = async (servername: string) => {
  const { ingressAddress: address } = fixture().stage.facts;
  return (await handshake({ address, servername, ca: fixture().ca, ALPNProtocols: ['h2', 'http/1.1'] })).alpn;
};

/** Of a request over http: whether it is led to HTTPS or answered, as the edge is set up. */
const isAnswered = (status: number) => [200, 301, 302, 307, 308].includes(status);

itWithWildcards(
  'answers one label below its base, and nowhere else',
  async () => {
    const { stage, account } = fixture();
    const challenge = `_acme-challenge.${base}`;
    const seen = await stage.domainWhere(account, 'all', 'shows its records', (one) =>
      one.status?.records?.length === 2 ? null : 'not yet',
    );
    for (const { fqdn, value } of seen.status?.records ?? []) await fixture().setRecords(fqdn, [`CNAME ${value}.`]);
    expect(seen.status?.records?.map(({ fqdn }) => fqdn).toSorted()).toEqual([wildcard, challenge]);
    await stage.domainWhere(account, 'all', 'is Live', inState('Live'));
    for (const hostname of [any, exact]) {
      const { status, body } = await fixture().ask(hostname);
      expect([status, body.includes('"shop-web"')]).toEqual([200, true]);
      expect(isAnswered((await fixture().askHttp(hostname)).status)).toBe(true);
    }
    const token = await fixture().askHttp(exact, '/.well-known/projectdomain/abc');
    expect([token.status, token.body.includes('"shop-web"')]).toEqual([404, false]);
    for (const hostname of [deeper, base]) {
      const { status, body } = await fixture().askHttp(hostname);
      expect([status, body.includes('"shop-web"')]).toEqual([404, false]);
      const secure = await fixture()
        .exchange(hostname, { ca: null })
        .catch(() => null);
      expect([404, undefined]).toContain(secure?.status);
    }
  },
  conformanceDeadlineMs,
);

itWithWildcards(
  'serves a hostname of its own until that has its own certificate, and nobody fails',
  async () => {
    const { stage, account } = fixture();
    const visits = fixture().visit([any, exact], ({ status }) => status === 200);
    const plainly = visitInTurn([exact], async () => {
      const { status } = await fixture().askHttp(exact);
      return isAnswered(status) ? null : `status ${status} over http`;
    });
    try {
      await stage.kubectl.apply({
        apiVersion: 'projectdomain.io/v1alpha1',
        kind: 'ProjectDomain',
        metadata: { name: 'docs', namespace: account },
        spec: { project: 'docs', hostname: exact },
      });
      const shown = await stage.domainWhere(account, 'docs', 'shows its record', (one) =>
        recordOf(one, 'CNAME') ? null : 'not yet',
      );
      await fixture().setRecords(exact, [`CNAME ${recordOf(shown, 'CNAME')?.value}.`]);
      await stage.domainWhere(account, 'docs', 'is Live', inState('Live'));
      expect((await fixture().ask(exact)).body).toBe('docs');
      expect((await fixture().ask(any)).body).toContain('"shop-web"');
    } finally {
      await plainly.end();
    }
    const { failed } = await visits.end();
    expect([...failed, ...(await plainly.end()).failed]).toEqual([]);
    const http2 = fixture().exceptions.noHttp2WithWildcard ? 'http/1.1' : 'h2';
    expect(await Promise.all([any, exact].map(protocolOf))).toEqual([http2, http2]);
  },
  conformanceDeadlineMs,
);

itWithWildcards(
  'does not serve a hostname of its own that is suspended, not even when that is removed, until it is let go',
  async () => {
    const { stage } = fixture();
    const annotate = (value: string) =>
      stage.kubectl.run(['annotate', 'hostnameclaim', exact, `projectdomain.io/suspend${value}`]);
    await annotate('=abuse report 12');
    await fixture().answers(exact, 503);
    expect((await fixture().ask(any)).status).toBe(200);
    await annotate('-');
    await eventually('its own project answers', 60_000, async () => {
      const { status, body } = await fixture().ask(exact);
      expectThat(body === 'docs', `${status} ${body}`);
    });
    await annotate('=abuse report 13');
    await fixture().answers(exact, 503);
    const visits = fixture().visit([exact], ({ status }) => status === 503);
    await fixture().remove('projectdomain', 'docs');
    await eventually('it is given up', 60_000, async () => {
      const phase = await stage.kubectl.run(['get', 'hostnameclaim', exact, '-o', 'jsonpath={.spec.phase}']);
      expectThat(phase.trim() === 'Tombstone', phase);
    });
    expect((await fixture().ask(any)).status).toBe(200);
    const { failed } = await visits.end();
    expect(failed).toEqual([]);
    expect((await fixture().ask(exact)).status).toBe(503);
    await annotate('-');
    await eventually('the wildcard serves it', 60_000, async () => {
      const { status, body } = await fixture().ask(exact);
      expectThat(body.includes('"shop-web"'), `${status} ${body}`);
    });
    await fixture().remove('projectdomain', 'all');
    await fixture().isGone(any);
  },
  conformanceDeadlineMs,
);
