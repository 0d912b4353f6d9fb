import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

/** Bytes of each of the three parts of a mark. */
const part = 16;
/** Of what is kept of a request: which one it is, a random part of its own, and a MAC over both. */
export const markBytes = 3 * part;

const ivBytes = 12;
const cipher = 'aes-256-gcm';

/**
 * What is kept for one caller, under keys that derive from the API key that was sent, and that nobody has who reads Redis. Neither that key nor
 * what derives from it is kept anywhere.
 */
export interface CallerSeal {
  /** Where what belongs to an idempotency key is kept: tells nothing of it. */
  readonly placeOf: (idempotencyKey: string) => string;
  /** The mark of a request with this text that begins: no other has the same, not even one with the same text. */
  readonly mark: (place: string, request: string) => Buffer;
  /** Whether this installation made the mark, for this caller and place. */
  readonly isOurs: (place: string, mark: Uint8Array) => boolean;
  readonly seal: (place: string, mark: Uint8Array, text: string) => Buffer;
  /** Null for what was not sealed for this caller, place and mark. */
  readonly open: (place: string, mark: Uint8Array, sealed: Uint8Array) => string | null;
  /** A source of randomness that is the same for the same mark: whole numbers in [0, n), fit for secrets. */
  readonly random: (place: string, mark: Uint8Array) => (below: number) => number;
}

/**
 * Keys by HKDF (RFC 5869) of the API key, with the installation's HMAC secret as salt: whoever knows a former API key and reads Redis still cannot
 * tell what was drawn for it.
 */
export function callerSeal(installationSecret: Uint8Array, apiKey: string): CallerSeal {
  const derived = Buffer.from(hkdfSync('sha256', apiKey, installationSecret, 'projectdomain idempotency', 96));
  const [macKey, sealKey, drawKey] = [derived.subarray(0, 32), derived.subarray(32, 64), derived.subarray(64)];
  const mac = (purpose: string, ...parts: readonly (string | Uint8Array)[]): Buffer => {
    const made = createHmac('sha256', macKey).update(`${purpose}\n`);
    for (const one of parts) made.update(one);
    return made.digest().subarray(0, part);
  };
  const tagOf = (place: string, mark: Uint8Array): Buffer => mac('mark', place, mark.subarray(0, 2 * part));
  const bindingOf = (place: string, mark: Uint8Array): Buffer => Buffer.concat([Buffer.from(place), mark]);
  return Object.freeze<CallerSeal>({
    placeOf: (idempotencyKey) => mac('place', idempotencyKey).toString('base64url'),
    mark(place, request) {
      const unsigned = Buffer.concat([mac('request', request), randomBytes(part)]);
      return Buffer.concat([unsigned, tagOf(place, unsigned)]);
    },
    isOurs: (place, mark) => mark.length === markBytes && timingSafeEqual(mark.subarray(2 * part), tagOf(place, mark)),
    seal(place, mark, text) {
      const iv = randomBytes(ivBytes);
      const sealing = createCipheriv(cipher, sealKey, iv).setAAD(bindingOf(place, mark));
      const sealed = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
      return Buffer.concat([iv, sealing.getAuthTag(), sealed]);
    },
    open(place, mark, sealed) {
      if (sealed.length < ivBytes + part) return null;
      const opening = createDecipheriv(cipher, sealKey, sealed.subarray(0, ivBytes), { authTagLength: part })
        .setAAD(bindingOf(place, mark))
        .setAuthTag(sealed.subarray(ivBytes, ivBytes + part));
      try {
        return Buffer.concat([opening.update(sealed.subarray(ivBytes + part)), opening.final()]).toString('utf8');
      } catch {
        return null;
      }
    },
    random: (place, mark) => randomOf(createHmac('sha256', drawKey).update(bindingOf(place, mark)).digest()),
  });
}

const drawnAtOnce = 64;
const wordBytes = 4;

/** Numbers of the key stream of AES in counter mode; words that would make some more likely than others are left out. */
function randomOf(key: Uint8Array): (below: number) => number {
  const stream = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  const zeros = Buffer.alloc(drawnAtOnce * wordBytes);
  let words: Buffer = Buffer.alloc(0);
  const word = (): number => {
    if (words.length === 0) words = stream.update(zeros);
    const first = words.readUInt32BE();
    words = words.subarray(wordBytes);
    return first;
  };
  return (below) => {
    const fair = Math.floor(2 ** 32 / below) * below;
    for (;;) {
      const drawn = word();
      if (drawn < fair) return drawn % below;
    }
  };
}
