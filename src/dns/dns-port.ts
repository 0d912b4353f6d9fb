import type { DnsFacts } from './dns-facts.ts';

/** What a check has to look at. The asker follows the hostname's chain, the target, the challenge name and CAA. */
export interface CheckRequest {
  readonly hostname: string;
  readonly target: string;
  /** owner name of the ownership record; null when it is not wanted */
  readonly txtName: string | null;
  readonly caa: boolean;
}

/** Asking DNS, bounded in packets and time (docs/concepts/dns-rules.md). Never rejects for what servers do. */
export interface Dns {
  check(request: CheckRequest, signal: AbortSignal): Promise<DnsFacts>;
}
