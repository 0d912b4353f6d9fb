import { z } from 'zod';
import { AcmeProblem, AcmeUnavailable } from './acme-errors.ts';

/** What an authority's answers hold, as far as it is used here (RFC 8555, section 7.1; RFC 9773). */

const urn = 'urn:ietf:params:acme:error:';
/** What is kept of a text that may stand in a status later, characters, and of how many subproblems. */
const longestText = 500;
const subproblemsAtMost = 100;

const boundedText = z
  .string()
  .catch('')
  .transform((value) => value.slice(0, longestText));

/** `urn:ietf:params:acme:error:caa` is `caa`; other URIs stay. Without a type it is about:blank (RFC 7807, section 3.1). */
const errorType = z
  .string()
  .catch('about:blank')
  .transform((uri) => (uri.startsWith(urn) ? uri.slice(urn.length) : uri).slice(0, longestText));

const subproblem = z.object({
  type: errorType,
  detail: boundedText,
  identifier: z
    .object({ value: boundedText })
    .transform(({ value }) => value)
    .nullable()
    .catch(null),
});

/** A problem document of RFC 7807 as RFC 8555, section 6.7, extends it. */
const problemDocument = z.object({
  type: errorType,
  detail: boundedText,
  subproblems: z
    .array(subproblem)
    .catch([])
    .transform((all) => all.slice(0, subproblemsAtMost)),
});

const url = z.url({ protocol: /^https$/ });
const time = z.iso.datetime({ offset: true });

/** A part that went wrong. */
const problem = problemDocument
  .transform((document) => new AcmeProblem({ ...document, status: null, retryAfterMs: null }))
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
  throw new AcmeUnavailable(why.slice(0, longestText));
}

/** An answer that is no problem document may still be JSON: of a proxy, of something else at this address. */
const isProblem = z.union([z.object({ type: z.string() }), z.object({ detail: z.string() })]);

/** The problem that the body of a refusal is; null for any other body, and for an answer that is no refusal. */
export function problemIn(
  body: string,
  around: { readonly status: number; readonly retryAfterMs: number | null },
): AcmeProblem | null {
  if (around.status < 300) return null;
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return null;
  }
  return isProblem.safeParse(value).success ? new AcmeProblem({ ...problemDocument.parse(value), ...around }) : null;
}
