import { readFileSync } from 'node:fs';
import type { Kubectl } from '../../dev/platform/kubectl.ts';
import { createKubectl } from '../../dev/platform/kubectl.ts';
import type { Platform, PlatformFacts } from '../../dev/platform/platform.ts';
import type { Stage } from '../../dev/story/stage.ts';
import type { TestPlatformOptions } from './platform.ts';
import { testPlatform, testStage } from './platform.ts';

/** A whole platform to attack. It may be shared with other files, so each attack brings accounts of its own. */
export interface AttackPlatform {
  readonly facts: PlatformFacts;
  readonly kubectl: Kubectl;
  readonly stage: Stage;
  close(): Promise<void>;
}

const patienceMs = 90_000;

/** The platform that `npm run adversary` started for all of its files, or one of this file's own. */
export async function attackPlatform(): Promise<AttackPlatform> {
  const shared = process.env.PROJECTDOMAIN_ATTACK_PLATFORM;
  if (shared === undefined) return ownPlatform();
  const facts = JSON.parse(readFileSync(shared, 'utf8')) as PlatformFacts;
  const kubectl = createKubectl(facts.kubectl, facts.kubeconfig);
  const stage = testStage({ facts, kubectl }, patienceMs);
  return { facts, kubectl, stage, close: () => stage.close() };
}

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
