/** One block of a PEM text (RFC 7468). */
export interface PemBlock {
  /** as it stands after BEGIN */
  readonly label: string;
  readonly der: Buffer;
}

/** What cannot be part of base64 ends a block, so that each character is looked at once. */
const block = /-----BEGIN ([A-Z0-9 ]{1,40})-----([A-Za-z0-9+/=\s]*)-----END \1-----/g;

/** The blocks of a text; whatever stands between them is left out. */
export const pemBlocks = (text: string): readonly PemBlock[] =>
  [...text.matchAll(block)].map(([, label = '', body = '']) => ({ label, der: Buffer.from(body, 'base64') }));

/** One block as PEM, in lines of 64 characters. */
export function pemText({ label, der }: PemBlock): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
