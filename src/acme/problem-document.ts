import { z } from 'zod';
import { AcmeProblem } from './acme-errors.ts';

const urn = 'urn:ietf:params:acme:error:';
/** What is kept of a text that stands in a status later. */
const longestDetail = 500;

const text = z.string().catch('');

const subproblem = z.object({
  type: text,
  detail: text,
  identifier: z.object({ value: z.string() }).nullable().catch(null),
});

const document = z.object({
  type: z.string(),
  detail: text,
  subproblems: z.array(subproblem).catch([]),
});

/** A problem document of RFC 7807 as RFC 8555, section 6.7, extends it. */
export const problemDocument = document;
type ProblemDocument = z.infer<typeof document>;

const typeOf = (uri: string): string => (uri.startsWith(urn) ? uri.slice(urn.length) : uri);

interface Around {
  readonly status: number | null;
  readonly retryAfterMs: number | null;
}

export const problemOf = ({ type, detail, subproblems }: ProblemDocument, around: Around): AcmeProblem =>
  new AcmeProblem({
    ...around,
    type: typeOf(type),
    detail: detail.slice(0, longestDetail),
    subproblems: subproblems.map((one) => ({
      type: typeOf(one.type),
      detail: one.detail.slice(0, longestDetail),
      identifier: one.identifier?.value ?? null,
    })),
  });

/** The problem that a body is; null for any other body, and for one of a status that is no refusal. */
export function problemIn(
  body: string,
  around: { readonly status: number; readonly retryAfterMs: number | null },
): AcmeProblem | null {
  if (around.status < 400) return null;
  try {
    const parsed = document.safeParse(JSON.parse(body));
    return parsed.success ? problemOf(parsed.data, around) : null;
  } catch {
    return null;
  }
}
