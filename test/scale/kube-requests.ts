/**
 * How many requests a process has sent to the kube-apiserver, by `verb resource`, such as `patch projectdomains/status`. A watch that
 * was refused with 4xx is a `refused-watch`: a kube-apiserver that has just begun answers 429.
 */
export type KubeRequests = ReadonlyMap<string, number>;

const line = /^projectdomain_kube_requests_total\{(.+)\} (\S+)$/;

/** Reads them from the process's metrics. */
export async function kubeRequests(metricsUrl: string): Promise<KubeRequests> {
  const text = await (await fetch(`${metricsUrl}/metrics`, { signal: AbortSignal.timeout(30_000) })).text();
  const counts = new Map<string, number>();
  for (const [, labels = '', count] of text.split('\n').flatMap((one) => [line.exec(one) ?? []])) {
    const of = (label: string) => new RegExp(`${label}="([^"]*)"`).exec(labels)?.[1] ?? '';
    const verb = of('verb') === 'watch' && of('code') === '4xx' ? 'refused-watch' : of('verb');
    const name = `${verb} ${of('resource')}`;
    if (labels !== '') counts.set(name, (counts.get(name) ?? 0) + Number(count));
  }
  return counts;
}

/** What was sent between two readings. */
export function requestsBetween(before: KubeRequests, after: KubeRequests): KubeRequests {
  const more = [...after].map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const);
  return new Map(more.filter(([, count]) => count > 0));
}

const reads: ReadonlySet<string> = new Set(['get', 'list', 'watch', 'refused-watch']);
/** A lease is renewed as long as somebody leads, events are kept beside all objects, and a review writes nothing. */
const notObjects = /^\S+ (leases|events|\w*subjectaccessreviews)$/;

/** The requests that wrote an object. */
export const writesIn = (requests: KubeRequests): KubeRequests =>
  new Map([...requests].filter(([name]) => !reads.has(name.split(' ')[0] ?? '') && !notObjects.test(name)));

export const sumOf = (requests: KubeRequests): number => [...requests.values()].reduce((sum, count) => sum + count, 0);

/** One line for people: the most first. */
export const shown = (requests: KubeRequests): string =>
  [...requests]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ') || 'none';
