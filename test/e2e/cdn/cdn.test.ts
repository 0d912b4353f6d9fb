import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { askHttps } from '../../../dev/lib/https.ts';
import { cdnAddressOf } from '../../../dev/platform/ours.ts';
import type { Stage } from '../../../dev/story/stage.ts';
import type { AuthorityOrders } from '../../support/authority-orders.ts';
import { takenFor, watchAuthorityOrders } from '../../support/authority-orders.ts';
import type { TestCdn } from '../../support/cdn.ts';
import { createCdn } from '../../support/cdn.ts';
import type { Customer } from '../../support/customers.ts';
import { claimOf, customer, domainIs, recordOf } from '../../support/customers.ts';
import { platformDeadlineMs } from '../../support/platform.ts';
import type { SharedPlatform } from '../../support/shared-platform.ts';
import { sharedPlatform } from '../../support/shared-platform.ts';
import { verifyRequests } from '../../support/verify-requests.ts';

/**
 * A hostname whose addresses are a CDN's (nginx, with TLS of its own): from Add to Live, through the CDN's outage, and back.
 * Fails when a token is taken for proof without TXT, when the way through the CDN is no longer found, or when what the CDN
 * does ends the route.
 */

let platform: SharedPlatform;
let stage: Stage;
let shop: Customer;
let cdn: TestCdn;
let authority: AuthorityOrders;
let verify: (namespace: string, name: string) => Promise<void>;

const hostname = 'www.behind-a-cdn.example';
const zone = 'behind-a-cdn.example';
const addressRecord = () => `www A ${cdn.address}`;

beforeAll(async () => {
  platform = await sharedPlatform();
  ({ stage } = platform);
  verify = verifyRequests(stage);
  authority = watchAuthorityOrders(platform);
  shop = await customer(stage, 'cdn-shop');
  const origin = platform.facts.ingressAddress;
  cdn = await createCdn({ address: cdnAddressOf({ address: origin }), origin, hostname });
}, platformDeadlineMs);

afterAll(async () => {
  await cdn.remove();
  await authority.stop();
  await platform.close();
}, platformDeadlineMs);

interface Seen {
  readonly status?: {
    readonly state?: string;
    readonly issues?: readonly { readonly code: string }[];
    readonly check?: {
      readonly routing?: string;
      readonly routedBy?: string;
      readonly token?: { readonly nonce: string; readonly answer: string };
    };
  };
}

const seen = async (): Promise<NonNullable<Seen['status']>> =>
  (await stage.kubectl.get<Seen>('projectdomain', hostname, shop.account))?.status ?? {};

async function routingIs(routing: string, issues: readonly string[]) {
  await verify(shop.account, hostname);
  return eventually(`routing of ${hostname} is ${routing}`, 20_000, async () => {
    const status = await seen();
    const codes = (status.issues ?? []).map(({ code }) => code);
    expectThat(status.check?.routing === routing && codes.join() === issues.join(), JSON.stringify(status.check));
    return status;
  });
}

const visit = () => askHttps({ address: cdn.address, ca: cdn.ca, hostname });

/** Status and body of a token's path, asked of an address by plain HTTP. */
const askToken = (address: string, host: string, nonce: string) =>
  new Promise<string>((resolve, reject) => {
    const path = `/.well-known/projectdomain/${nonce}`;
    request({ host: address, path, headers: { host }, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve(`${response.statusCode} ${text.trim()}`));
    })
      .on('error', reject)
      .end();
  });

const orders = () => takenFor(authority, hostname);

describe('a hostname behind a CDN', () => {
  it('is unknown while the CDN leads elsewhere, and the TXT record is shown', async () => {
    await cdn.behave('parked');
    await stage.putZone(zone, addressRecord());
    await shop.add(hostname);
    await domainIs(shop, hostname, 'Unverified', 'BehindCdn');
    expect(recordOf(await shop.domain(hostname), 'TXT').value).toContain('projectdomain-verify=');
    expect(await claimOf(stage, hostname)).toBeNull();
  }, 120_000);

  it('is routed once the CDN leads here, and proves nothing without the TXT record', async () => {
    await cdn.behave('origin');
    await domainIs(shop, hostname, 'Unverified', 'TxtMissing');
    const { check } = await seen();
    expect(check?.routedBy).toBe('token');
    expect(await claimOf(stage, hostname)).toBeNull();
    const { nonce = '', answer = '' } = check?.token ?? {};
    expect(await askToken(cdn.address, hostname, nonce)).toBe(`200 ${answer}`);
    expect(await askToken(platform.facts.ingressAddress, 'other.example', nonce)).toMatch(/^404/);
    expect(await askToken(platform.facts.ingressAddress, hostname, `${nonce}x`)).toMatch(/^404/);
  }, 120_000);

  it('is Live with the TXT record, by one order, and answers visitors of the CDN', async () => {
    const { value } = recordOf(await shop.domain(hostname), 'TXT');
    await stage.putZone(zone, `${addressRecord()}\n_projectdomain-challenge.www TXT "${value}"`);
    await domainIs(shop, hostname, 'Live');
    const answer = await visit();
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toMatchObject({ tenant: `${shop.account}-web` });
    expect(await orders()).toBe(1);
    expect((await claimOf(stage, hostname))?.spec).toMatchObject({ phase: 'Held', proof: { method: 'TXT' } });
  }, 180_000);

  it('stays Live while the CDN is down, forbids, or is parked, and says so', async () => {
    await cdn.goDown();
    expect((await routingIs('Unknown', ['BehindCdn'])).state).toBe('Live');
    await cdn.behave('forbidden');
    expect((await routingIs('Unknown', ['CdnForbids'])).state).toBe('Live');
    await cdn.behave('parked');
    expect((await routingIs('Unknown', ['BehindCdn'])).state).toBe('Live');
    await stage.answers(hostname, `${shop.account}-web`);
    expect(await orders()).toBe(1);
  }, 180_000);

  it('is confirmed again when the CDN is back', async () => {
    await cdn.behave('origin');
    expect(await routingIs('Yes', [])).toMatchObject({ state: 'Live', check: { routedBy: 'token' } });
    expect((await visit()).status).toBe(200);
  }, 120_000);

  it('is gone at once when it is removed, and its token with it', async () => {
    const nonce = (await seen()).check?.token?.nonce ?? '';
    expect([202, 204]).toContain((await shop.remove(hostname)).status);
    await eventually('the token is gone', 10_000, async () => {
      expectThat((await askToken(cdn.address, hostname, nonce)).startsWith('404'), 'still answered');
    });
    await eventually('the route is gone', 30_000, async () => {
      const { status } = await visit();
      expectThat(status === 404 || status === 502, `status ${status}`);
    });
  }, 120_000);
});
