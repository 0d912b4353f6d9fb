/** The zone in which challenges of DNS-01 are answered (RFC 8555, section 8.4), for hostnames that delegate theirs to it. */
export interface ChallengeZone {
  /**
   * Puts these texts of one order at `<label>.<zone>` in place of its former ones; none removes them. What this process put there for other
   * orders stays, as a base and its wildcard have one challenge name. Throws ChallengeZoneFault.
   */
  put(label: string, order: string, texts: readonly string[]): Promise<void>;
  /** True once every server of the zone answers with exactly these texts of the order, beside those of others. */
  serves(label: string, order: string, texts: readonly string[]): Promise<boolean>;
}

/** The zone's server does not take a change: a fault of the world, or of its configuration. It ends with time, or once that is corrected. */
export class ChallengeZoneFault extends Error {
  override readonly name = 'ChallengeZoneFault';
}
