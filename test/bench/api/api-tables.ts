import { spread } from '../quota/quartiles.ts';
import type { CreateSummary } from './create-rounds.ts';
import type { ListSummary } from './list-slots.ts';

export interface CostsOfList {
  readonly requests: number;
  /** microseconds within all of them, by room */
  readonly micros: ReadonlyMap<string, number>;
}

const table = (rows: readonly (readonly (string | number)[])[]): string => {
  const [heads = [], ...others] = rows;
  return [heads, heads.map(() => '---'), ...others].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
};

export const listTable = (list: ListSummary): string =>
  table([
    [`GET …/domains, 50 domains, ${(list.bytes / 1_000).toFixed(1)} kB`, 'of bare `res.json`'],
    ['requests', spread(list.ratio)],
    ['p50', spread(list.p50Ratio)],
    ['p99', spread(list.p99Ratio)],
    ['requests a second', `${list.perSecond.toFixed(0)} beside ${list.barePerSecond.toFixed(0)}`],
    ['processor for each, µs', `${list.cpu.toFixed(0)} beside ${list.bareCpu.toFixed(0)}`],
  ]);

/** Rooms that take less than a hundredth are one line. */
export function costsTable({ requests, micros }: CostsOfList): string {
  const sum = [...micros.values()].reduce((total, value) => total + value, 0);
  const large = [...micros].filter(([, value]) => value >= sum / 100);
  const rest = sum - large.reduce((total, [, value]) => total + value, 0);
  const row = (name: string, value: number) => [
    name,
    (value / requests).toFixed(1),
    `${((100 * value) / sum).toFixed(0)} %`,
  ];
  return table([
    ['the same, by room', 'µs for each request, with the profiler', 'share'],
    ...large.map(([name, value]) => row(name, value)),
    row('others', rest),
  ]);
}

export const createsTable = ({ ratio, ours, plain }: CreateSummary): string =>
  table([
    ['creates, 32 at a time', 'by the API', 'straight to the kube-apiserver'],
    ['a second', ours.perSecond.toFixed(0), plain.perSecond.toFixed(0)],
    ['of the plain client’s', spread(ratio), '1'],
    ['kube-apiserver, ms for each', ours.kubeCpu.toFixed(2), plain.kubeCpu.toFixed(2)],
    ['API server, ms for each', ours.apiCpu.toFixed(2), '0'],
  ]);
