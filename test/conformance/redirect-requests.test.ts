import { expect, it } from '@jest/globals';
import { inZone, useConformance } from '../support/conformance.ts';

/** A redirect answers every method, a request with a body, and visitors over http, who end at the destination in HTTPS. Fails where an edge sends them to the hostname that redirects, in a circle. */

const fixture = useConformance(import.meta.filename);
const hostname = inZone('old.redirect-requests');
const location = `https://${inZone('www.redirect-requests')}/a?b`;

it.each(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])('answers %s', async (method) => {
  const body = method === 'POST' || method === 'PUT' ? { body: 'x'.repeat(100_000) } : {};
  const { status, headers } = await fixture().exchange(hostname, { method, path: '/a?b', ...body });
  expect([status, headers.location]).toEqual([301, location]);
});

it('leads on from http, in two steps at most', async () => {
  const first = await fixture().askHttp(hostname, '/a?b');
  expect(first.status).toBe(301);
  if (first.location === location) return;
  expect(first.location).toBe(`https://${hostname}/a?b`);
  const second = await fixture().ask(hostname, '/a?b');
  expect([second.status, second.headers.location]).toEqual([301, location]);
});
