import type { Probe, ProbeResult } from './https-probe.ts';

/** An edge's probe. */
export interface EdgeProbe {
  /** for people: the class of the edge */
  readonly edge: string;
  readonly probe: Probe;
}

/**
 * Asks every edge that serves the hostname: it answers once it does at each of them. Of several that do not, one is told of: that which shows another's
 * certificate before one that shows none, and that before one whose application is down.
 */
export function probeEdges(edges: readonly EdgeProbe[]): Probe {
  return {
    async ask(request, signal) {
      const asked = edges.filter(({ edge }) => request.classes?.includes(edge) ?? true);
      const results = await Promise.all(
        asked.map(async ({ edge, probe }) => ({ edge, result: await probe.ask(request, signal) })),
      );
      const [told] = results.flatMap(failureAt).toSorted((one, other) => rank(one.result) - rank(other.result));
      if (told === undefined) return results[0]?.result ?? { ok: true };
      return edges.length === 1 ? told.result : { ...told.result, detail: `${told.edge}: ${told.result.detail}` };
    },
  };
}

type Failed = Extract<ProbeResult, { readonly ok: false }>;

interface At<Result> {
  readonly edge: string;
  readonly result: Result;
}

const failureAt = ({ edge, result }: At<ProbeResult>): readonly At<Failed>[] => (result.ok ? [] : [{ edge, result }]);

const rank = ({ isForeign }: Failed): number => (isForeign === true ? 0 : isForeign === undefined ? 1 : 2);
