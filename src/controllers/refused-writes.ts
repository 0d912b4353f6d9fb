import { backoff } from '../lib/backoff.ts';
import { createBoundedMap } from '../lib/bounded-map.ts';
import type { WriteAction } from '../controller-runtime/actions.ts';
import type { RefusalCode } from '../rules/codes/refusal-codes.ts';
import type { Refusal } from '../rules/write-refusal.ts';
import type { HostnameClaim } from '../generated/hostname-claim.ts';
import { HostnameClaimKind } from '../resources/kinds.ts';
import { withoutForeignNames } from '../rules/write-refusal.ts';
import type { RefusedWrite } from './refused-write.ts';
import { refusedWrite, targetOf } from './refused-write.ts';

/** Writes that were refused, so that each is tried again at the pace of a back-off and no faster, whatever wakes its key. */
export interface RefusedWrites {
  /** Why a write is not sent now: it was refused a moment ago. null where it may be sent. */
  heldBack(action: WriteAction): HeldWrite | null;
  /** The last refusal of a write that has not been done since; null without one. */
  lasting(action: WriteAction): RefusedWrite | null;
  /** To be called with each refusal, and the error that it was read from. */
  refused(action: WriteAction, refusal: Refusal, error: unknown): RefusedWrite;
  /** Whether this very error was given to `refused`. */
  hasTold(error: unknown): boolean;
  /** To be called with each write that was done. */
  done(action: WriteAction): void;
}

interface HeldWrite {
  readonly write: RefusedWrite;
  /** after how many milliseconds it may be sent */
  readonly forMs: number;
}

/** A write was not sent, as it was refused a moment ago. */
export class WriteHeldBack extends Error {
  override readonly name = 'WriteHeldBack';

  constructor({ kind, namespace, name, code, said }: RefusedWrite) {
    super(`${kind} ${namespace}/${name} was refused a moment ago (${code}): ${said}`);
  }
}

export interface RefusedWritesDependencies {
  /** milliseconds of a monotonic clock */
  readonly elapsed: () => number;
  /** called with each refusal */
  readonly observe: (refusal: { readonly kind: string; readonly code: RefusalCode }) => void;
  /** whether a namespace is an account's, whose objects no other account is told of */
  readonly isOfAccount: (namespace: string) => boolean;
}

interface Held {
  readonly write: RefusedWrite;
  readonly count: number;
  /** milliseconds of the same clock */
  readonly until: number;
}

/**
 * Half of the queue's shortest delay after as many failures (controller-runtime/work-queue.ts), so that its own retries are always sent; and
 * little enough for whoever has just removed the cause and asks again.
 */
const holdBounds = { first: 500, longest: 30_000 };
/** About a kilobyte each. What is forgotten is sent at the queue's pace. */
const remembered = 10_000;

export function createRefusedWrites({ elapsed, observe, isOfAccount }: RefusedWritesDependencies): RefusedWrites {
  const held = createBoundedMap<Held>(remembered);
  const told = new WeakSet<object>();
  return {
    heldBack(action) {
      const found = held.get(keyOf(action));
      const forMs = found ? found.until - elapsed() : 0;
      return found && forMs > 0 ? { write: found.write, forMs } : null;
    },
    lasting: (action) => held.get(keyOf(action))?.write ?? null,
    refused(action, refusal, error) {
      const key = keyOf(action);
      const namespace = readerOf(action);
      if (error instanceof Error) told.add(error);
      const isForeign = (other: string) => other !== namespace && isOfAccount(other);
      const said = isOfAccount(namespace) ? withoutForeignNames(refusal.said, isForeign) : refusal.said;
      const write = refusedWrite(action, { ...refusal, said });
      const count = (held.get(key)?.count ?? 0) + 1;
      const forMs = backoff(count, holdBounds);
      held.set(key, { write, count, until: elapsed() + forMs });
      observe({ kind: write.kind, code: write.code });
      return write;
    },
    hasTold: (error) => error instanceof Error && told.has(error),
    done: (action) => held.delete(keyOf(action)),
  };
}

/** The namespace of the account that reads of it; '' where no account does. */
function readerOf(action: WriteAction): string {
  if (action.kind !== HostnameClaimKind || action.verb === 'remove') return targetOf(action).namespace;
  return (action.object as unknown as HostnameClaim).spec.holder.namespace;
}

function keyOf(action: WriteAction): string {
  const { namespace, name } = targetOf(action);
  return `${action.verb} ${action.kind.kind} ${namespace}/${name}`;
}
