/** What V8 writes with `--cpu-prof`: times in microseconds, `startTime` on the monotonic clock. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }[];
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** On the same clock as `startTime`, microseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export const monotonicMicros = (): number => Number(process.hrtime.bigint() / 1_000n);

/** Microseconds of the processor within a span, by room of `src`, package, or what V8 was at; the most first. */
export function costByRoom(
  { nodes, startTime, samples, timeDeltas }: CpuProfile,
  { from, to }: Span,
): ReadonlyMap<string, number> {
  const roomOf = new Map(nodes.map(({ id, callFrame }) => [id, roomOfFrame(callFrame)]));
  const costs = new Map<string, number>();
  let at = startTime;
  for (const [index, id] of samples.entries()) {
    const micros = timeDeltas[index] ?? 0;
    at += micros;
    const room = roomOf.get(id) ?? '';
    if (at < from || at > to || room === '(idle)') continue;
    costs.set(room, (costs.get(room) ?? 0) + micros);
  }
  return new Map([...costs].toSorted(([, one], [, other]) => other - one));
}

function roomOfFrame({ functionName, url }: CpuProfile['nodes'][number]['callFrame']): string {
  if (url === '') return functionName === '' ? 'V8' : functionName;
  if (url.startsWith('node:')) return 'Node.js';
  const ofPackage = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(url)?.[1];
  return ofPackage ?? /\/src\/([^/]+)\//.exec(url)?.[1] ?? url;
}
