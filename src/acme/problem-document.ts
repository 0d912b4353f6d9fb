import { z } from 'zod';
import { AcmeProblem } from './acme-errors.ts';

const urn = 'urn:ietf:params:acme:error:';
/** What is kept of a text that may stand in a status later, and of how many subproblems. */
const longestText = 500;
const subproblemsAtMost = 100;

const text = z
  .string()
  .catch('')
  .transform((value) => value.slice(0, longestText));

/** `urn:ietf:params:acme:error:caa` is `caa`; other URIs stay. Without a type it is about:blank (RFC 7807, section 3.1). */
const type = z
  .string()
  .catch('about:blank')
  .transform((uri) => (uri.startsWith(urn) ? uri.slice(urn.length) : uri).slice(0, longestText));

const subproblem = z.object({
  type,
  detail: text,
  identifier: z.object({ value: text }).nullish().catch(null),
});

/** A problem document of RFC 7807 as RFC 8555, section 6.7, extends it. */
export const problemDocument = z.object({
  type,
  detail: text,
  subproblems: z
    .array(subproblem)
    .catch([])
    .transform((all) => all.slice(0, subproblemsAtMost)),
});

interface Around {
  readonly status: number | null;
  readonly retryAfterMs: number | null;
}

export const problemOf = (document: z.infer<typeof problemDocument>, around: Around): AcmeProblem =>
  new AcmeProblem({
    ...document,
    ...around,
    subproblems: document.subproblems.map(({ identifier, ...one }) => ({
      ...one,
      identifier: identifier?.value ?? null,
    })),
  });

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
  return isProblem.safeParse(value).success ? problemOf(problemDocument.parse(value), around) : null;
}
