import type { Kubectl } from '../platform/kubectl.ts';

interface Seen {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: {
    readonly holder?: { readonly namespace: string };
    readonly orders?: readonly {
      readonly at: string;
      readonly outcome: string;
      readonly checkedAt?: string;
      readonly acme?: { readonly order?: string };
    }[];
  };
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
  };
}

/** How far the certificates of a namespace are, a line each: what a test that waits in vain would otherwise leave to guesses. */
export async function issuanceFacts(kubectl: Kubectl, namespace: string): Promise<string> {
  const list = async (...args: readonly string[]): Promise<readonly Seen[]> =>
    (JSON.parse(await kubectl.run(['get', ...args, '-o', 'json'])) as { readonly items: readonly Seen[] }).items;
  try {
    const [children, claims] = await Promise.all([
      list('certificates,certificaterequests', '-n', namespace),
      list('hostnameclaims'),
    ]);
    const held = claims.filter(({ spec }) => spec?.holder?.namespace === namespace);
    return [...children, ...held].map(lineOf).join('\n');
  } catch (error) {
    return `its certificates cannot be read: ${String(error)}`;
  }
}

function lineOf({ kind, metadata, spec, status }: Seen): string {
  const conditions = (status?.conditions ?? []).map(
    (one) => `${one.type}=${one.status} (${one.reason ?? ''}: ${one.message ?? ''})`,
  );
  const orders = (spec?.orders ?? []).map(
    ({ at, outcome, checkedAt = 'never', acme }) =>
      `order of ${at}, checked ${checkedAt}, ${acme?.order === undefined ? 'not placed' : 'placed'}: ${outcome}`,
  );
  return `${kind} ${metadata.name}: ${[...conditions, ...orders].join('; ')}`;
}
