import type { UnfinishedWork } from '../controller-runtime/unfinished-work.ts';
import type { Clock } from '../lib/clock.ts';
import { isEarlier } from '../kubernetes/kubernetes-errors.ts';

/** The caches and the queues, as far as a checkpoint depends on them. */
export interface CheckpointSources {
  /** the version up to which each cache has taken every event; null where it is not known */
  readonly versions: () => readonly (string | null)[];
  readonly unfinished: UnfinishedWork;
  /** that of a predecessor, which is right until this leader has one of its own; null without one */
  readonly inherited: string | null;
}

/**
 * The resourceVersion up to which this leader has reconciled every change. A successor that begins there need not visit at once
 * what changed before it.
 */
export interface Checkpoint {
  /** To be called every few seconds. */
  sample(): void;
  /** null while there is none */
  version(): string | null;
}

interface Sample {
  readonly version: string;
  readonly epoch: number;
}

/** Samples wait for the work that came before them; when it takes long, no further ones are taken. */
const samplesAtMost = 100;

const sampleEveryMs = 5_000;

/** Samples every five seconds until the signal aborts. */
export function keepCheckpoint(sources: CheckpointSources, clock: Clock, signal: AbortSignal): Checkpoint {
  const checkpoint = createCheckpoint(sources);
  const sampling = async () => {
    for (;;) {
      await clock.sleep(sampleEveryMs, signal);
      checkpoint.sample();
    }
  };
  sampling().catch(() => undefined);
  return checkpoint;
}

export function createCheckpoint({ versions, unfinished, inherited }: CheckpointSources): Checkpoint {
  const samples: Sample[] = [];
  let reached = inherited;

  const settle = () => {
    const done = samples.findLastIndex(({ epoch }) => unfinished.isDone(epoch));
    reached = samples[done]?.version ?? reached;
    samples.splice(0, done + 1);
  };

  /** The history is another one: etcd was restored. */
  const forget = () => {
    samples.length = 0;
    reached = null;
  };

  return {
    sample() {
      settle();
      const version = earliestOf(versions());
      if (isEarlier(version, samples.at(-1)?.version ?? reached)) forget();
      if (version === null || samples.length >= samplesAtMost) return;
      samples.push({ version, epoch: unfinished.nextEpoch() });
    },
    version: () => reached,
  };
}

type Versions = readonly (string | null)[];

/** The earliest of all versions, which are those of etcd and compare as numbers (KEP-5504); null when one is not known. */
const earliestOf = (versions: Versions): string | null =>
  versions.every(isNumber)
    ? versions.reduce((earliest, version) => (isEarlier(version, earliest) ? version : earliest), versions[0] ?? null)
    : null;

const isNumber = (version: string | null): version is string => version !== null && /^\d+$/.test(version);

/** The latest of the known versions; null when none is. */
export const latestOf = (versions: Versions): string | null =>
  versions.reduce((latest, version) => (latest === null || isEarlier(latest, version) ? version : latest), null);
