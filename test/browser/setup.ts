import type { Locator } from 'playwright-core';
import { createKey } from '../../dev/platform/demo-account.ts';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { restClient } from '../../dev/lib/rest.ts';
import type { Platform } from '../../dev/platform/platform.ts';
import type { Stage } from '../../dev/story/stage.ts';
import type { Browsing } from '../support/browser.ts';
import { startBrowser } from '../support/browser.ts';
import type { SharedPlatform } from '../support/shared-platform.ts';
import { ownPlatform, sharedPlatform } from '../support/shared-platform.ts';
import { see } from './customer.ts';

/** A real platform's dashboard, and a browser. */
export interface SharedSetup {
  readonly stage: Stage;
  readonly browser: Browsing;
  /** origin of the dashboard */
  readonly url: string;
  /** An account on the plan, with a project `shop` that is deployed; a key of its own each time. */
  customer(account: string, plan: string): Promise<string>;
  /** Another key of an account; the dashboard knows it. */
  key(account: string): Promise<string>;
  close(): Promise<void>;
}

/** The same on a platform of the file's own. */
export interface Setup extends SharedSetup {
  readonly platform: Platform;
}

export const api = 'projectdomain.io/v1alpha1';

export async function startWorld(): Promise<Setup> {
  const own = await ownPlatform(60_000);
  return { ...(await openWorld(own)), platform: own.platform };
}

/** On the platform that the command started for all of its files, or one of this file's own. */
export const sharedWorld = async (): Promise<SharedSetup> => openWorld(await sharedPlatform());

async function openWorld(
  platform: Pick<SharedPlatform, 'facts' | 'kubectl' | 'stage' | 'close'>,
): Promise<SharedSetup> {
  const { stage } = platform;
  const url = platform.facts.apiUrl ?? '';
  const browser = await startBrowser(url);
  const key = async (account: string) => {
    const made = await createKey(account, platform.facts.kubeconfig);
    await eventually('the key opens', 20_000, async () => {
      const { status } = await restClient(url, made)('/v1/account/usage');
      expectThat(status === 200, `status ${status}`);
    });
    return made;
  };
  return {
    stage,
    browser,
    url,
    key,
    async customer(account, plan) {
      await stage.account(account, plan);
      const tenant = await stage.tenant(account, 'web');
      await tenant.becomeReady();
      await stage.kubectl.apply({
        apiVersion: api,
        kind: 'Project',
        metadata: { name: 'shop', namespace: account },
        spec: { service: { name: 'web', port: 8080 }, subdomain: `${account}-shop` },
      });
      await eventually('the project is deployed', 60_000, async () => {
        const seen = await stage.kubectl.get<{ status?: { deployedAt?: string } }>('project', 'shop', account);
        expectThat(seen?.status?.deployedAt !== undefined, 'not yet');
      });
      return key(account);
    },
    async close() {
      await browser.close();
      await platform.close();
    },
  };
}

/** Waits until it says Live. Rejects with what the page says instead, and what stands in the cluster behind it. */
export async function seeLive({ stage }: Pick<Setup, 'stage'>, where: Locator, withinMs: number): Promise<void> {
  try {
    await see(where.getByText('Live', { exact: true }), withinMs);
  } catch (error) {
    const behind = 'projectdomains,certificaterequests,orders,challenges,events';
    const told = await stage.kubectl.run(['get', behind, '--all-namespaces', '--output=wide']).catch(String);
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${told}`, { cause: error });
  }
}

interface Shown {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly hostname: string };
}

/** Hostnames of an account as the cluster has them, whatever the dashboard shows. */
export async function hostnames({ stage }: Pick<Setup, 'stage'>, account: string): Promise<readonly string[]> {
  const text = await stage.kubectl.run(['get', 'projectdomains', '-n', account, '-o', 'json']);
  return (JSON.parse(text) as { items: readonly Shown[] }).items.map(({ spec }) => spec.hostname).toSorted();
}
