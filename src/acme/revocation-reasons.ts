/** Why a certificate is revoked, with its number: of RFC 5280, section 5.3.1, those that are given here. */
export const revocationReasons = { unspecified: 0, keyCompromise: 1, superseded: 4, cessationOfOperation: 5 } as const;

export type RevocationReason = keyof typeof revocationReasons;
