/** How to reach the API server and as whom. */
export interface Connection {
  /** origin, without a path at its end */
  readonly server: string;
  readonly tls: {
    readonly ca?: string | Buffer;
    readonly cert?: string | Buffer;
    readonly key?: string | Buffer;
    readonly servername?: string;
    readonly rejectUnauthorized?: boolean;
  };
  /** the Authorization header for a call made now; null where the client certificate speaks */
  authorization(): Promise<string | null>;
}

/** The header is made anew as soon as the one that was made is older than `keptMs`: credentials are renewed under us. */
export function keptFor(keptMs: number, make: () => Promise<string | null>): () => Promise<string | null> {
  let kept: { readonly at: number; readonly header: string | null } | null = null;
  return async () => {
    if (kept && performance.now() - kept.at < keptMs) return kept.header;
    kept = { at: performance.now(), header: await make() };
    return kept.header;
  };
}
