import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request } from 'node:http';
import type { AttackPlatform } from '../../support/attack-platform.ts';
import { attackPlatform } from '../../support/attack-platform.ts';
import type { Customer } from '../../support/customers.ts';
import { customer } from '../../support/customers.ts';
import { platformDeadlineMs } from '../../support/platform.ts';

/** A tenant wants the platform to be an open redirect: to a foreign host by REST and by kubectl, and for a Host it does not hold. */

let platform: AttackPlatform;
let attacker: Customer;
let other: Customer;

beforeAll(async () => {
  platform = await attackPlatform();
  attacker = await customer(platform.stage, 'redirect-attacker');
  other = await customer(platform.stage, 'redirect-other');
  await platform.stage.putZone('redirected.example', `www CNAME ${attacker.target}.`);
}, platformDeadlineMs);

afterAll(() => platform.close(), platformDeadlineMs);

/** The redirector itself, so that nothing before it can be what refuses. */
function ask(host: string): Promise<{ readonly status: number; readonly location: string | undefined }> {
  const { hostname } = new URL(platform.facts.apiUrl ?? '');
  return new Promise((resolve, reject) => {
    request({ host: hostname, port: 8085, path: '/', headers: { host }, timeout: 5_000 }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, location: response.headers.location });
    })
      .on('error', reject)
      .end();
  });
}

describe('a redirect', () => {
  it.each<[string, () => string]>([
    ['to a host of nobody', () => 'evil.example'],
    ['to a hostname of another account', () => `${other.account}-shop.apps.example.net`],
    ['to the platform itself', () => 'apps.example.net'],
    ['to an address', () => '203.0.113.9'],
    ['to a URL', () => 'https://evil.example/'],
  ])('%s is refused by REST', async (_, to) => {
    const { status, body } = await attacker.add('www.redirected.example', { role: 'redirect', redirect: { to: to() } });
    expect([status, body.code]).toEqual([422, 'invalid-redirect']);
  });

  it(
    'to a foreign host by kubectl is Pending and never answered',
    async () => {
      const spec = {
        project: 'shop',
        hostname: 'www.redirected.example',
        role: 'Redirect',
        redirect: { to: 'evil.example', status: 301 },
      };
      const metadata = { name: 'www.redirected.example', namespace: attacker.account };
      const { stage } = platform;
      await stage.kubectl.apply({ apiVersion: 'projectdomain.io/v1alpha1', kind: 'ProjectDomain', metadata, spec });
      await stage.domainWhere(attacker.account, metadata.name, 'is Pending', ({ status }) =>
        status?.state === 'Pending' ? null : `state ${status?.state}`,
      );
      expect(await ask('www.redirected.example')).toEqual({ status: 404, location: undefined });
    },
    platformDeadlineMs,
  );
});
