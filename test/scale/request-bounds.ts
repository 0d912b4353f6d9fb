import type { KubeRequests } from './kube-requests.ts';

/** How many requests of a kind there may be, by `verb resource`, and what they are for. */
export interface RequestBounds {
  readonly [name: string]: readonly [most: number, why: string];
}

/** A sentence for each bound that is exceeded; what the table does not name may not be sent at all. */
export const beyond = (requests: KubeRequests, bounds: RequestBounds): readonly string[] =>
  [...requests].flatMap(([name, sent]) => {
    const [most, why] = bounds[name] ?? [0, 'not expected at all'];
    return sent <= most ? [] : [`${name}: ${sent} instead of ${most} at most (${why})`];
  });
