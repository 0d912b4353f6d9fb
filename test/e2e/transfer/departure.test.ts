import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { askHttps } from '../../../dev/lib/https.ts';
import type { Stage } from '../../../dev/story/stage.ts';
import { confirmDeletion } from '../../support/confirm-deletion.ts';
import { platformDeadlineMs } from '../../support/platform.ts';
import type { SharedPlatform } from '../../support/shared-platform.ts';
import { sharedPlatform } from '../../support/shared-platform.ts';

/** A customer leaves: by its Account or by its namespace, whatever it had is served no longer. */

let platform: SharedPlatform;
let stage: Stage;

const hostnameOf = (account: string) => `${account}-shop.apps.example.net`;

async function publish(account: string): Promise<void> {
  await stage.account(account, 'pro');
  const tenant = await stage.tenant(account, `${account}-web`);
  await tenant.becomeReady();
  await stage.kubectl.apply({
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'Project',
    metadata: { name: 'shop', namespace: account },
    spec: { service: { name: `${account}-web`, port: 8080 }, subdomain: `${account}-shop` },
  });
}

beforeAll(async () => {
  platform = await sharedPlatform();
  ({ stage } = platform);
  const accounts = ['leaver', 'vanisher', 'stayer'];
  for (const account of accounts) await publish(account);
  for (const account of accounts) await stage.answers(hostnameOf(account), `${account}-web`);
}, platformDeadlineMs);

afterAll(async () => {
  await platform.close();
}, platformDeadlineMs);

describe('a customer that leaves', () => {
  it.each([
    ['account', 'leaver'],
    ['namespace', 'vanisher'],
  ])(
    'by its %s is served no longer, its name is a tombstone, and others go on',
    async (kind, account) => {
      await confirmDeletion(stage.kubectl, kind, account);
      await stage.kubectl.run(['delete', kind, account, '--wait=false']);
      const ca = readFileSync(platform.facts.acmeRoot);
      const address = platform.facts.ingressAddress;
      await eventually(`the ingress refuses ${hostnameOf(account)}`, 60_000, async () => {
        const answer = await askHttps({ address, ca, hostname: hostnameOf(account) }).catch(() => null);
        expectThat(answer === null, `still answers ${answer?.status}`);
      });
      await eventually('its claim is a tombstone', 60_000, async () => {
        const claim = await stage.kubectl.get<{ spec: { phase: string } }>('hostnameclaim', hostnameOf(account));
        expectThat(claim?.spec.phase === 'Tombstone', `phase ${claim?.spec.phase}`);
      });
      // cert-manager, too, had an Ingress there if it was still asking for a certificate, and takes it away in its own time.
      await eventually('nothing of it is left', 60_000, async () => {
        const left = await stage.kubectl.run(['get', 'projects,ingresses', '-n', account, '-o', 'name']);
        expectThat(left.trim() === '', left);
      });
      await stage.answers(hostnameOf('stayer'), 'stayer-web');
    },
    platformDeadlineMs,
  );
});
