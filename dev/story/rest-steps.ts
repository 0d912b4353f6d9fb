import { setTimeout as sleep } from 'node:timers/promises';
import { expectThat, within } from '../lib/eventually.ts';
import { askHttps } from '../lib/https.ts';
import type { Rest, RestAnswer } from '../lib/rest.ts';
import { readFileSync } from 'node:fs';
import type { Stage } from './stage.ts';

/** The other half of the story, by REST from the outside. */

const shop = 'www.example.com';
const apex = 'example.com';
const caDomain = 'pebble.projectdomain.test';
const domains = '/v1/projects/shop/domains';
const target = `/a%2Fb?q=1&q=%20`;

interface SeenRecord {
  readonly purpose: string;
  readonly name: string;
  readonly value: string;
}

const say = ({ status, body }: RestAnswer): string => `${status} ${JSON.stringify(body)}`;

function expectStatus(answer: RestAnswer, ...expected: readonly number[]): RestAnswer {
  expectThat(expected.includes(answer.status), `answered ${say(answer)}`);
  return answer;
}

/** The apex is added as a redirect, both records shown and made, verified, and redirects byte for byte. */
export async function redirectLive(stage: Stage): Promise<string> {
  const rest = await stage.rest('acme');
  const redirect = { hostname: apex, role: 'redirect', redirect: { to: shop, status: 301 } };
  const added = expectStatus(await rest(domains, { method: 'POST', body: redirect }), 200, 201);
  const records = added.body.records as readonly SeenRecord[];
  const txt = records.find(({ purpose }) => purpose === 'ownership');
  expectThat(records.length === 2 && txt !== undefined, `shows ${JSON.stringify(records)}`);
  const www = expectStatus(await rest(`${domains}/${shop}`), 200).body.records as readonly SeenRecord[];
  await stage.putZone(
    apex,
    [
      `@ A ${stage.facts.ingressAddress}`,
      `${txt.name} TXT "${txt.value}"`,
      `www CNAME ${www[0]?.value}.`,
      `@ CAA 0 issue "${caDomain}"`,
    ].join('\n'),
  );
  expectStatus(await rest(`${domains}/${apex}/verify?wait=30s`, { method: 'POST' }), 200, 202);
  await within(`${apex} is Live`, stage.patienceMs, async () => {
    const { body } = expectStatus(await rest(`${domains}/${apex}`), 200);
    expectThat(body.state === 'live', `state ${String(body.state)}, reason ${String(body.reason)}`);
  });
  const ca = readFileSync(stage.facts.acmeRoot);
  return within(`https://${apex}/ redirects`, stage.patienceMs, async () => {
    const { status, headers } = await askHttps({
      address: stage.facts.ingressAddress,
      ca,
      hostname: apex,
      path: target,
    });
    const location = String(headers.location);
    expectThat(status === 301 && location === `https://${shop}${target}`, `answered ${status}, Location ${location}`);
    return `https://${apex}${target} answers 301 to ${location}`;
  });
}

/** What the Free plan refuses and how: the domain, the 61st request, going on regardless; and an upgrade's effect. */
export async function quota(stage: Stage, account: string): Promise<string> {
  await stage.account(account, 'free');
  await stage.applied({
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'Project',
    metadata: { name: `${account}-hobby`, namespace: account },
    spec: { service: { name: 'hobby-web', port: 8080 } },
  });
  const rest = await stage.rest(account);
  const path = `/v1/projects/${account}-hobby/domains`;
  await within('the API knows the project', stage.patienceMs, async () => {
    expectStatus(await rest(path), 200);
  });
  const add = await rest(path, { method: 'POST', body: { hostname: 'www.hobby.example' } });
  expectThat(add.status === 403 && add.body.code === 'plan-upgrade-required', `add answered ${say(add)}`);
  const limited = await countedByRedis(stage.patienceMs, () => spendMinute(rest));
  const wait = Number(limited.headers.get('retry-after'));
  await stage.waits(wait * 1_000);
  expectStatus(await countedByRedis(stage.patienceMs, () => rest('/v1/account')), 200);
  const banned = await goOnRegardless(rest);
  await stage.account(account, 'pro');
  await within('the header says 300', stage.patienceMs, async () => {
    const { headers } = await rest('/v1/account');
    expectThat(headers.get('x-ratelimit-limit') === '300', `says ${headers.get('x-ratelimit-limit')}`);
  });
  const other = await stage.rest(account, 'another');
  expectStatus(await countedByRedis(stage.patienceMs, () => other('/v1/account')), 200);
  return `429 with Retry-After ${wait}, then 200; ${banned}; on plan pro the limit is 300`;
}

const trio = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

/** A process that Redis is too slow for counts alone, within its share, and says so: that refusal is waited out. */
async function countedByRedis(patienceMs: number, ask: () => Promise<RestAnswer>): Promise<RestAnswer> {
  const until = Date.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (answer.body.degraded !== true) return answer;
    const waitMs = Number(answer.headers.get('retry-after')) * 1_000;
    expectThat(Date.now() + waitMs < until, 'Redis is away: the quota is counted by one process alone');
    await sleep(waitMs);
  }
}

/** Asks until the minute is used up: 60 answers since the account began, and the 61st refused. */
async function spendMinute(rest: Rest): Promise<RestAnswer> {
  for (let count = 0; count < 61; count += 1) {
    const answer = await rest('/v1/account');
    const shown = trio.map((name) => answer.headers.get(name));
    expectThat(!shown.includes(null), `an answer without the trio: ${say(answer)}`);
    if (answer.status !== 429) continue;
    const [limit, remaining] = shown;
    const asked = Number(answer.headers.get('retry-after'));
    expectThat(limit === '60' && remaining === '0' && asked > 0, `the refusal says ${shown.join(', ')}, ${asked}`);
    return answer;
  }
  throw new Error('61 requests and none was refused');
}

/** A window and a little: where the minute was filled slowly, it lets requests through one by one, but not in all of it. */
const regardlessMs = 70_000;

/** Some at a time: each second in which it goes on is a strike, so a slow machine must not miss one. */
async function goOnRegardless(rest: Rest): Promise<string> {
  const endsAt = Date.now() + regardlessMs;
  let sent = 0;
  while (Date.now() < endsAt) {
    const answers = await Promise.all(Array.from({ length: 5 }, () => rest('/v1/account')));
    sent += answers.length;
    const banned = answers.find(({ status }) => status === 403);
    if (banned === undefined) continue;
    expectThat(banned.body.code === 'abnormal-usage-detected', `answered ${JSON.stringify(banned.body)}`);
    return `going on regardless banned the key for ${banned.headers.get('retry-after')} s`;
  }
  throw new Error(`${sent} requests in ${regardlessMs / 1_000} s regardless of 429 and no ban`);
}

/** Removed by REST: the ingress refuses it, nothing of it is left but a tombstone, and the other goes on. */
export async function removed(stage: Stage): Promise<string> {
  const rest = await stage.rest('acme');
  const startedAt = Date.now();
  expectStatus(await rest(`${domains}/${apex}`, { method: 'DELETE' }), 202, 204);
  const ca = readFileSync(stage.facts.acmeRoot);
  const ms = await within(`the ingress refuses ${apex}`, stage.patienceMs, async () => {
    const answer = await askHttps({ address: stage.facts.ingressAddress, ca, hostname: apex }).catch(() => null);
    expectThat(answer === null, `still answers ${answer?.status}`);
    return Date.now() - startedAt;
  });
  await within('nothing of it is left but a tombstone', stage.patienceMs, async () => {
    const names = 'jsonpath={range .items[*]}{.spec.dnsNames[0]} {end}';
    const certificates = await stage.kubectl.run(['get', 'certificates', '-n', 'acme', '-o', names]);
    expectThat(!certificates.split(' ').includes(apex), `the Certificate is still there: ${certificates}`);
    const claim = await stage.kubectl.get<{ spec: { phase: string } }>('hostnameclaim', apex);
    expectThat(claim?.spec.phase === 'Tombstone', `the claim is ${claim?.spec.phase}`);
  });
  await stage.answers(shop, 'shop-web');
  return `${apex} is refused by the ingress after ${ms} ms, its claim a tombstone; ${shop} answers`;
}
