import { busyFactor } from '../../dev/lib/eventually.ts';
import type { OrderLimits } from '../../dev/platform/ours.ts';
import type { Edge, IssuerKind } from '../../dev/platform/services.ts';
import type { Platform, PlatformOptions } from '../../dev/platform/platform.ts';
import { startPlatform } from '../../dev/platform/platform.ts';
import type { Stage } from '../../dev/story/stage.ts';
import { createStage } from '../../dev/story/stage.ts';
import { leapingClock } from './leap.ts';

export const platformDeadlineMs = 300_000;

export interface TestPlatformOptions {
  readonly orderLimits?: OrderLimits;
  /** who orders; otherwise as ISSUER says, and AcmeIssuer where nothing does, as in the product */
  readonly issuer?: IssuerKind;
  readonly platformTls?: 'PerHost' | 'Default';
  readonly edge?: Edge;
  readonly second?: Edge;
  readonly redirectors?: number;
  readonly challengeZone?: NonNullable<PlatformOptions['challengeZone']>;
  /** the clock of our processes leaps where the test says so (leap.ts) */
  readonly leaps?: boolean;
}

/** A platform of its own in a temporary folder, removed at its stop. */
export function testPlatform(
  ours: boolean,
  { issuer = issuerOfRun(), leaps = false, ...options }: TestPlatformOptions = {},
): Promise<Platform> {
  const progress = (line: string) => process.stderr.write(`${line}\n`);
  return startPlatform({ dir: null, ours, progress, issuer, ...(leaps ? { preload: leapingClock } : {}), ...options });
}

/** Throws where ISSUER is no kind of issuer, as nobody would notice that the tests ran with another. */
function issuerOfRun(): IssuerKind {
  const { ISSUER: kind = 'AcmeIssuer' } = process.env;
  if (kind === 'ClusterIssuer' || kind === 'AcmeIssuer') return kind;
  throw new Error(`ISSUER is ClusterIssuer or AcmeIssuer, not ${kind}`);
}

type StageParts = Pick<Platform, 'facts' | 'kubectl'>;

/** `patienceMs` is how long each thing may take on a machine with nothing else to do, as with `eventually`. */
export const testStage = (platform: StageParts, patienceMs: number): Stage =>
  stageWithin(platform, patienceMs * busyFactor);

/** The same with a time that is meant, as with `within`. */
export const stageWithin = ({ facts, kubectl }: StageParts, patienceMs: number): Stage =>
  createStage({ facts, kubectl, patienceMs });
