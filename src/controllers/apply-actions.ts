import { noActions } from '../controller-runtime/actions.ts';
import type { WriteAction, ReconcileResult, Actions } from '../controller-runtime/actions.ts';
import type { EventRecord, Cluster, KubernetesObject } from '../kubernetes/kubernetes-port.ts';
import { isAlreadyThere, isNotFound } from '../kubernetes/kubernetes-errors.ts';
import {
  AccountKind,
  certManagerApiVersion,
  HostnameClaimKind,
  ProjectDomainKind,
  ProjectKind,
} from '../resources/kinds.ts';
import { refusalOf } from '../rules/write-refusal.ts';
import type { RefusedWrite } from './refused-write.ts';
import { objectOf, refusalEvent, refusedWrite, targetOf } from './refused-write.ts';
import type { RefusedWrites } from './refused-writes.ts';
import { WriteHeldBack } from './refused-writes.ts';

export interface ApplyDependencies {
  readonly cluster: Cluster;
  readonly now: () => number;
  /** emits a Kubernetes Event; never throws */
  readonly recordEvent: (eventRecord: EventRecord) => void;
  /** absent where no reconcile comes again, so that nothing has to be remembered */
  readonly refusedWrites?: RefusedWrites;
}

/** Who says what the cluster refused. */
export interface Refusable {
  /** the object whose status says it; the Event is about it */
  readonly about: KubernetesObject;
  /** Decides again, from the same snapshot and what was refused: its status of `about` and its events are used. Pure. */
  readonly again: (refused: readonly RefusedWrite[]) => Pick<Actions, 'writes' | 'events'>;
  /** errors that the caller decides on, which are thrown at once */
  readonly isDecided?: (error: unknown) => boolean;
}

/**
 * Applies what a reconcile decided, in order, and returns when to requeue. The first write that fails ends it; the
 * remaining writes are decided anew by the next reconcile. A conflict means that an object changed meanwhile; the queue
 * retries. If a write of a cert-manager kind fails, routes and status are still applied, and the error is thrown at the
 * end.
 *
 * What the cluster refuses is told in a Warning Event. With `refusable` it is in the status too, which is decided again for it: then nothing
 * is thrown, and the result says that the key has to be tried again.
 */
export async function applyActions(
  dependencies: ApplyDependencies,
  actions: Actions,
  refusable?: Refusable,
): Promise<ReconcileResult> {
  const { now, recordEvent } = dependencies;
  const run: Run = { ...dependencies, refusable, failures: [], told: [] };
  try {
    await writeAll(run, actions);
  } finally {
    const [first, ...others] = run.told;
    if (first)
      recordEvent(refusalEvent(refusable?.about ?? first.about, [first.write, ...others.map(({ write }) => write)]));
  }
  const [failure] = run.failures;
  if (failure) return { refused: failure.error, ...sendableAgain(run.failures) };
  const { requeueAt } = actions;
  return requeueAt === null ? {} : { requeueAfterMs: Math.max(0, requeueAt - now()) };
}

/** The same where nothing but writes was decided. */
export const applyWrites = (
  dependencies: ApplyDependencies,
  writes: readonly WriteAction[],
): Promise<ReconcileResult> => applyActions(dependencies, { ...noActions, writes });

/** Where every write was held back, somebody has asked before its time, and need not wait for the next retry. */
function sendableAgain(failures: readonly Failure[]): Pick<ReconcileResult, 'requeueAfterMs'> {
  const times = failures.flatMap(({ forMs }) => forMs ?? []);
  return times.length === failures.length ? { requeueAfterMs: Math.max(...times) } : {};
}

interface Failure {
  readonly action: WriteAction;
  readonly error: unknown;
  /** null where nobody refused anything: cert-manager's kinds are away */
  readonly refused: RefusedWrite | null;
  /** after how many milliseconds a write that was held back may be sent; null where it was sent */
  readonly forMs: number | null;
}

interface Run extends ApplyDependencies {
  readonly refusable: Refusable | undefined;
  readonly failures: Failure[];
  /** refusals of this very reconcile, which an Event tells of */
  readonly told: { readonly about: KubernetesObject; readonly write: RefusedWrite }[];
}

/** Throws the first failure, unless all were refusals that the status says. */
async function writeAll(run: Run, actions: Actions): Promise<void> {
  const { refusable, failures, recordEvent } = run;
  for (const action of actions.writes)
    if (!isLast(run, action) && canFollow(action, failures)) await attempt(run, action);
  const refused = failures.flatMap((failure) => failure.refused ?? []);
  const isSaid = refusable !== undefined && refused.length > 0;
  const last = isSaid ? refusable.again(refused) : actions;
  for (const action of last.writes) if (isLast(run, action)) await attempt(run, action);
  const unsaid = failures.find((failure) => !isSaid || failure.refused === null);
  if (unsaid) throw unsaid.error;
  last.events.forEach(recordEvent);
}

/** Sends a write, unless it was refused a moment ago. Throws what nothing can follow. */
async function attempt(run: Run, action: WriteAction): Promise<void> {
  const { cluster, refusedWrites, failures } = run;
  const held = isLast(run, action) ? null : refusedWrites?.heldBack(action);
  if (held)
    return void failures.push({ action, error: new WriteHeldBack(held.write), refused: held.write, forMs: held.forMs });
  try {
    await performWrite(cluster, action);
    refusedWrites?.done(action);
  } catch (error) {
    if (run.refusable?.isDecided?.(error)) throw error;
    failures.push(failureOf(run, action, error));
  }
}

function failureOf(run: Run, action: WriteAction, error: unknown): Failure {
  const { refusable, refusedWrites, told } = run;
  const refusal = isRace(action, error) ? null : refusalOf(error);
  const refused = refusal && (refusedWrites?.refused(action, refusal, error) ?? refusedWrite(action, refusal));
  if (refused) told.push({ about: objectOf(action), write: refused });
  const canBeFollowed = (refused !== null && refusable !== undefined) || isCertManagers(action);
  if (isLast(run, action) || !canBeFollowed) throw error;
  return { action, error, refused, forMs: null };
}

/** The status that says what was refused. */
const isLast = ({ refusable }: Run, action: WriteAction): boolean =>
  refusable !== undefined && isStatusOf(action, refusable.about);

/** Many write claims of the same name, of which one wins: the cache shows at once which. */
const isRace = ({ kind, verb }: WriteAction, error: unknown): boolean =>
  verb === 'create' && kind === HostnameClaimKind && isAlreadyThere(error);

function isStatusOf(action: WriteAction, { kind, metadata: { namespace = '', name } }: KubernetesObject): boolean {
  const target = targetOf(action);
  return (
    action.verb === 'applyStatus' && action.kind.kind === kind && target.namespace === namespace && target.name === name
  );
}

const isCertManagers = ({ kind }: WriteAction): boolean => kind.apiVersion === certManagerApiVersion;

/** No other write builds on these: owner references and ids of our kinds, and what a project declares. */
const standAlone: ReadonlySet<string> = new Set([AccountKind, ProjectKind, ProjectDomainKind].map(({ kind }) => kind));

/** So many refused writes of one reconcile are sent. */
const failuresAtMost = 20;

/**
 * Applying other kinds or a status is safe after an error of cert-manager's; claims, Secrets and removals depend on the writes before them. What
 * a project declares depends on none of them, and nothing on that.
 */
function canFollow(action: WriteAction, failures: readonly Failure[]): boolean {
  if (failures.length >= failuresAtMost) return false;
  const before = failures.filter((failure) => !standAlone.has(failure.action.kind.kind));
  if (before.length === 0 || standAlone.has(action.kind.kind)) return true;
  if (!before.every((failure) => isCertManagers(failure.action))) return false;
  return action.verb === 'applyStatus' || (action.verb === 'apply' && !isCertManagers(action));
}

/** Sends one write to the cluster. A status of an object that went meanwhile is not needed: whatever took its place wakes a reconcile of its own. */
function performWrite(cluster: Cluster, action: WriteAction): Promise<unknown> {
  switch (action.verb) {
    case 'apply':
      return cluster.apply(action.kind, action.object, action.live === undefined ? {} : { live: action.live });
    case 'applyStatus':
      return cluster.applyStatus(action.kind, action.object).catch(unlessGone);
    case 'create':
      return cluster.create(action.kind, action.object);
    case 'replace':
      return cluster.replace(action.kind, action.object);
    case 'replaceStatus':
      return cluster.replaceStatus(action.kind, action.object);
    case 'remove':
      return cluster.remove(action.kind, action.key, action.preconditions);
  }
}

function unlessGone(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
