import type { Probe } from './https-probe.ts';

/** An edge's probe. */
export interface EdgeProbe {
  /** for people: the class of the edge */
  readonly edge: string;
  readonly probe: Probe;
}

/** Asks every edge that serves the hostname: it answers once it does at each of them. Of several that do not, one is told of. */
export function probeEdges(edges: readonly EdgeProbe[]): Probe {
  return {
    async ask(request, signal) {
      const asked = edges.filter(({ edge }) => request.classes?.includes(edge) ?? true);
      const results = await Promise.all(
        asked.map(async ({ edge, probe }) => ({ edge, result: await probe.ask(request, signal) })),
      );
      for (const { edge, result } of results)
        if (!result.ok) return edges.length === 1 ? result : { ...result, detail: `${edge}: ${result.detail}` };
      return results[0]?.result ?? { ok: true };
    },
  };
}
