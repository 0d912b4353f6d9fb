import { z } from 'zod';
import { AcmeUnavailable } from './acme-errors.ts';
import { problemDocument, problemOf } from './problem-document.ts';

/** What an authority's answers hold, as far as it is used here (RFC 8555, section 7.1; RFC 9773). */

const url = z.url({ protocol: /^https$/ });
const time = z.iso.datetime({ offset: true });

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
  /** none where an authority leaves them out of an order that needs none any more */
  authorizations: z.array(url).max(100).default([]),
  finalize: url,
  certificate: url.optional(),
  error: problem,
});
export type Order = Readonly<z.infer<typeof order>>;

const challenge = z.object({
  type: z.enum(['http-01', 'dns-01']),
  url,
  status: z.enum(['pending', 'processing', 'valid', 'invalid']).default('pending'),
  /** RFC 8555, section 8.3: of the base64url alphabet, 128 bits at least; longer than any authority's is refused */
  token: z.string().regex(/^[A-Za-z0-9_-]{22,128}$/),
  error: problem,
});
export type Challenge = Readonly<z.infer<typeof challenge>>;
/** How control of a name is shown (RFC 8555, section 8). */
export type ChallengeKind = Challenge['type'];

/** What a challenge says of its own end, read alone. */
export const challengeEnd = z.object({ error: problem });

/** Of other kinds, whatever members those have. */
const otherChallenge = z.object({ type: z.string().refine((type) => type !== 'http-01' && type !== 'dns-01') });

export const authorization = z.object({
  status: z.enum(['pending', 'valid', 'invalid', 'deactivated', 'expired', 'revoked']),
  identifier: z.object({ type: z.string(), value: z.string() }),
  wildcard: z.boolean().default(false),
  /** of kinds that are understood */
  challenges: z
    .array(z.union([challenge, otherChallenge]))
    .max(100)
    .transform((all) => all.filter((one): one is z.infer<typeof challenge> => 'token' in one)),
});
export type Authorization = Readonly<z.infer<typeof authorization>>;

export const renewalInfo = z.object({
  suggestedWindow: z.object({ start: time, end: time }),
});

const longestMessage = 500;

/**
 * Reads an answer. A member that is null is one that is absent. Throws AcmeUnavailable where it is not what RFC 8555 says: that is
 * never the customer's fault.
 */
export function readAs<T>(schema: z.ZodType<T>, text: string, what: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text, (_, member: unknown) => member ?? undefined);
  } catch (error) {
    throw new AcmeUnavailable(`${what} is not JSON`, { cause: error });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const why = `${what} cannot be understood: ${issue?.path.join('.')}: ${issue?.message}`;
  throw new AcmeUnavailable(why.slice(0, longestMessage));
}
