import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../dev/lib/temporary.ts';
import type { ClusterClient } from '../../dev/platform/cluster-client.ts';
import { createClusterClient } from '../../dev/platform/cluster-client.ts';
import type { Platform, PlatformFacts } from '../../dev/platform/platform.ts';
import { startPlatform, writeFacts } from '../../dev/platform/platform.ts';
import type { IssuerKind } from '../../dev/platform/services.ts';
import type { Stage } from '../../dev/story/stage.ts';
import { leapingClock } from './leap.ts';
import type { TestPlatformOptions } from './platform.ts';
import { testPlatform, testStage } from './platform.ts';
import type { PlatformAction } from './platform-control.ts';
import { actOnPlatform, openPlatformControl, platformActions } from './platform-control.ts';
import type { Started } from './run-conformance.ts';

/**
 * A whole platform that may be shared with other files. So a file keeps to accounts, namespaces, hostnames and zones of its own, and
 * acts on what is everybody's only where its setting says that it runs alone there (dev/lanes/lanes.ts).
 */
export interface SharedPlatform {
  readonly facts: PlatformFacts;
  readonly kubectl: ClusterClient;
  readonly stage: Stage;
  act(action: PlatformAction): Promise<void>;
  /** Ends what the file started; the platform too where it is this file's own. */
  close(): Promise<void>;
}

/** Path of its facts. */
const variable = 'PROJECTDOMAIN_SHARED_PLATFORM';

/** The platform that the command started for all of its files, or one of this file's own. */
export async function sharedPlatform(patienceMs = 60_000): Promise<SharedPlatform> {
  const shared = process.env[variable];
  if (shared === undefined) return ownPlatform(patienceMs);
  const facts = JSON.parse(readFileSync(shared, 'utf8')) as PlatformFacts;
  const kubectl = createClusterClient(facts.kubectl, facts.kubeconfig);
  const stage = testStage({ facts, kubectl }, patienceMs);
  return { facts, kubectl, stage, act: actOnPlatform, close: () => stage.close() };
}

/** A platform that one file has for itself. */
export interface OwnPlatform extends SharedPlatform {
  readonly platform: Platform;
}

export async function ownPlatform(patienceMs: number, options: TestPlatformOptions = {}): Promise<OwnPlatform> {
  const platform = await testPlatform(true, { leaps: true, ...options });
  const { facts, kubectl } = platform;
  const stage = testStage(platform, patienceMs);
  const actions = platformActions(platform);
  return {
    ...{ platform, facts, kubectl, stage },
    act: async (action) => void (await actions[action]()),
    close: async () => {
      await stage.close();
      await platform.stop();
    },
  };
}

/** Starts one for all files of a run, which may act on it. */
export const sharePlatform = (issuer: IssuerKind) => async (): Promise<Started> => {
  const dir = temporaryFolder('shared');
  const platform = await startPlatform({
    dir,
    ours: true,
    issuer,
    preload: leapingClock,
    progress: (line) => process.stderr.write(`${line}\n`),
  });
  writeFacts(dir, platform.facts);
  const control = await openPlatformControl(platformActions(platform));
  return {
    env: { [variable]: join(dir, 'platform.json'), PROJECTDOMAIN_CONTROL: control.url, ISSUER: issuer },
    stop: async () => {
      control.stop();
      await platform.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
};
