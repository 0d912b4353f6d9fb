import type { TestPlatformOptions } from './platform.ts';
import type { OwnPlatform, SharedPlatform } from './shared-platform.ts';
import * as platforms from './shared-platform.ts';

/** A whole platform to attack. It may be shared with other files, so each attack brings accounts of its own. */
export type AttackPlatform = Pick<SharedPlatform, 'facts' | 'kubectl' | 'stage' | 'close'>;

/** One that an attack may stop parts of, or that is told something else than the shared one. */
export type OwnAttackPlatform = OwnPlatform;

const patienceMs = 90_000;

/** The platform that the command started for all of its files, or one of this file's own. */
export const attackPlatform = (): Promise<AttackPlatform> => platforms.sharedPlatform(patienceMs);

export const ownPlatform = (options: TestPlatformOptions = {}): Promise<OwnAttackPlatform> =>
  platforms.ownPlatform(patienceMs, options);
