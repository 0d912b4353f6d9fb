const keptMs = 60_000;

/** Tokens of files and exec plugins are renewed under us, so the header is made anew every minute. */
export function keptForAMinute(make: () => Promise<string | null>): () => Promise<string | null> {
  let kept: { readonly at: number; readonly header: string | null } | null = null;
  return async () => {
    if (kept && performance.now() - kept.at < keptMs) return kept.header;
    kept = { at: performance.now(), header: await make() };
    return kept.header;
  };
}
