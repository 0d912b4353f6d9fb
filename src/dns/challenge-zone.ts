/** The zone in which challenges of DNS-01 are answered (RFC 8555, section 8.4), for hostnames that delegate theirs to it. */
export interface ChallengeZone {
  /** Puts these texts at `<label>.<zone>` in place of what is there; none removes them. Throws ChallengeZoneFault. */
  put(label: string, texts: readonly string[]): Promise<void>;
  /** True once every server of the zone answers with exactly these texts there, or with none. */
  serves(label: string, texts: readonly string[]): Promise<boolean>;
}

/** The zone's server does not take a change: a fault of the world, or of its configuration. It ends with time, or once that is corrected. */
export class ChallengeZoneFault extends Error {
  override readonly name = 'ChallengeZoneFault';
}
