/** What a hostname must answer with to count as routed. */
export interface ProbeRequest {
  readonly hostname: string;
  /** the certificate's end of life as its Certificate says it, RFC 3339: tells this issue from an older one */
  readonly notAfter: string;
}

export type ProbeResult =
  | { readonly ok: true }
  /** `detail` is for people and holds no secret */
  | {
      readonly ok: false;
      readonly code: 'Unreachable' | 'WrongCertificate' | 'Untrusted' | 'NoAnswer';
      readonly detail: string;
    };

/** Asks the ingress for a hostname over HTTPS, as a browser would but without following anything. Never rejects. */
export interface Probe {
  ask(request: ProbeRequest, signal: AbortSignal): Promise<ProbeResult>;
}
