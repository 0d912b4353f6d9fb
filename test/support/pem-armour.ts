/** Bytes as one block of PEM, on one line. */
export const armoured = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${bytes.toString('base64')}\n-----END ${label}-----\n`;
