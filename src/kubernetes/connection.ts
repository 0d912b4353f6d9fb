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
