import { z } from 'zod';
import { AcmeUnavailable } from './acme-errors.ts';
import { problemDocument, problemOf } from './problem-document.ts';

/** What an authority's answers hold, as far as it is used here (RFC 8555, section 7.1; RFC 9773). */

const url = z.url({ protocol: /^https$/ });
/** RFC 3339; absent where it is not known yet. */
const time = z.iso.datetime({ offset: true }).optional();

/** A part that went wrong. */
const problem = problemDocument
  .transform((document) => problemOf(document, { status: null, retryAfterMs: null }))
  .optional();

export const directory = z.object({
  newNonce: url,
  newAccount: url,
  newOrder: url,
  revokeCert: url,
  /** RFC 9773; not every authority has it */
  renewalInfo: url.optional(),
  meta: z
    .object({
      termsOfService: z.string().optional(),
      /** the names by which CAA records permit this authority (RFC 8659) */
      caaIdentities: z.array(z.string()).default([]),
      externalAccountRequired: z.boolean().default(false),
      /** by name, what each is for: draft-ietf-acme-profiles */
      profiles: z.record(z.string(), z.string()).default({}),
    })
    .prefault({}),
});
export type Directory = Readonly<z.infer<typeof directory>>;

export const account = z.object({ status: z.enum(['valid', 'deactivated', 'revoked']) });

export const order = z.object({
  status: z.enum(['pending', 'ready', 'processing', 'valid', 'invalid']),
  expires: time,
  authorizations: z.array(url).max(100),
  finalize: url,
  certificate: url.optional(),
  error: problem,
});
export type Order = Readonly<z.infer<typeof order>>;

const challenge = z.object({
  type: z.string(),
  url,
  status: z.enum(['pending', 'processing', 'valid', 'invalid']),
  /** RFC 8555, section 8.3: of the base64url alphabet, 128 bits at least; longer ones than any authority's are refused */
  token: z.string().regex(/^[A-Za-z0-9_-]{22,128}$/),
  error: problem,
});
export type Challenge = Readonly<z.infer<typeof challenge>>;

export const authorization = z.object({
  status: z.enum(['pending', 'valid', 'invalid', 'deactivated', 'expired', 'revoked']),
  identifier: z.object({ type: z.string(), value: z.string() }),
  wildcard: z.boolean().default(false),
  expires: time,
  /** of kinds that are not understood nothing is kept */
  challenges: z.array(z.unknown()).transform((all) =>
    all.flatMap((one) => {
      const parsed = challenge.safeParse(one);
      return parsed.success ? [parsed.data] : [];
    }),
  ),
});
export type Authorization = Readonly<z.infer<typeof authorization>>;

export const renewalInfo = z.object({
  suggestedWindow: z.object({ start: z.iso.datetime({ offset: true }), end: z.iso.datetime({ offset: true }) }),
  explanationURL: z.string().optional(),
});

/** Reads an answer. Throws AcmeUnavailable where it is not what RFC 8555 says: whatever is wrong, it is not the customer. */
export function readAs<T>(schema: z.ZodType<T>, text: string, what: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new AcmeUnavailable(`${what} is not JSON`, { cause: error });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AcmeUnavailable(`${what} cannot be understood: ${issue?.path.join('.')}: ${issue?.message}`);
}
