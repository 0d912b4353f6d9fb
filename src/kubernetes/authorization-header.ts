/** The header is made anew as soon as the one that was made is older than `keptMs`: credentials are renewed under us. */
export function keptFor(keptMs: number, make: () => Promise<string | null>): () => Promise<string | null> {
  let kept: { readonly at: number; readonly header: string | null } | null = null;
  return async () => {
    if (kept && performance.now() - kept.at < keptMs) return kept.header;
    kept = { at: performance.now(), header: await make() };
    return kept.header;
  };
}
