import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestRedirector } from '../../support/redirector.ts';
import { locationsIn, startTestRedirector, victim } from '../../support/redirector.ts';

/**
 * A request names two hosts, so that the ingress (or a cache before it) reads one and the redirector the other. Several Host
 * fields, or one that is no plain hostname, are 400; the authority of an absolute-form target wins, as RFC 9112 has it.
 */

let redirector: TestRedirector;

beforeAll(async () => {
  redirector = await startTestRedirector();
});

afterAll(() => redirector.stop());

const ask = (target: string, hosts: readonly string[]) =>
  redirector.raw(`GET ${target} HTTP/1.1\r\n${hosts.map((host) => `${host}\r\n`).join('')}Connection: close\r\n\r\n`);

describe('a request that names two hosts', () => {
  it.each<[string, string, readonly string[]]>([
    ['in two fields', '/', [`Host: ${victim}`, 'Host: evil.example']],
    ['in two fields, the victim last', '/', ['Host: evil.example', `Host: ${victim}`]],
    ['in two fields of different case', '/', [`Host: ${victim}`, 'hOsT: evil.example']],
    ['twice the same', '/', [`Host: ${victim}`, `Host: ${victim}`]],
    ['in one field, with a comma', '/', [`Host: ${victim}, evil.example`]],
    ['in one field, with a space', '/', [`Host: ${victim} evil.example`]],
    ['by a user', '/', [`Host: evil.example@${victim}`]],
    ['by a port that is none', '/', [`Host: ${victim}:evil.example`]],
    ['by a path', '/', [`Host: ${victim}/evil.example`]],
    ['in a field with a space before its colon', '/', [`Host : evil.example`, `Host: ${victim}`]],
    ['in a field that is folded', '/', [`Host: ${victim}\r\n evil.example`]],
    ['beside an absolute-form target, twice', `http://${victim}/`, ['Host: evil.example', 'Host: other.example']],
    ['none at all', '/', []],
  ])('%s is answered with no Location', async (_, target, hosts) => {
    const answer = await ask(target, hosts);
    expect(locationsIn(answer)).toEqual([]);
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
  });

  it('by an absolute-form target is answered for the target, whatever the field says', async () => {
    expect(await ask('http://evil.example/', [`Host: ${victim}`])).toMatch(/^HTTP\/1\.1 404 /);
    expect(locationsIn(await ask(`http://${victim}/`, ['Host: evil.example']))).toHaveLength(1);
  });
});
