import type { ClusterClient } from '../../dev/platform/cluster-client.ts';
import type { Platform, PlatformFacts } from '../../dev/platform/platform.ts';
import type { Stage } from '../../dev/story/stage.ts';
import type { TestPlatformOptions } from './platform.ts';
import { testPlatform, testStage } from './platform.ts';
import { sharedPlatform } from './shared-platform.ts';

/** A whole platform to attack. It may be shared with other files, so each attack brings accounts of its own. */
export interface AttackPlatform {
  readonly facts: PlatformFacts;
  readonly kubectl: ClusterClient;
  readonly stage: Stage;
  close(): Promise<void>;
}

const patienceMs = 90_000;

/** The platform that the command started for all of its files, or one of this file's own. */
export const attackPlatform = (): Promise<AttackPlatform> => sharedPlatform(patienceMs);

/** One that an attack may stop parts of, or that is told something else than the shared one. */
export interface OwnAttackPlatform extends AttackPlatform {
  readonly platform: Platform;
}

export async function ownPlatform(options: TestPlatformOptions = {}): Promise<OwnAttackPlatform> {
  const platform = await testPlatform(true, options);
  const { facts, kubectl } = platform;
  const stage = testStage({ facts, kubectl }, patienceMs);
  return {
    facts,
    kubectl,
    stage,
    platform,
    close: async () => {
      await stage.close();
      await platform.stop();
    },
  };
}
