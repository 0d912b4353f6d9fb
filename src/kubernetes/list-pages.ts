import { AnswerTooLongError, isGone } from './kubernetes-errors.ts';
import { collectionPath, query } from './object-keys.ts';
import type { Kind, KubernetesObject, ListOptions } from './kubernetes-port.ts';
import type { Transport } from './transport.ts';

export interface Listed<T> {
  readonly items: readonly T[];
  /** where a watch goes on from */
  readonly resourceVersion: string;
}

interface Page<T> {
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items: readonly T[] | null;
}

const pageSize = 500;
const restarts = 3;

/**
 * Every object of a kind, page by page, apiVersion and kind filled in and managedFields cut. A continuation that
 * expired (410) begins the list anew, a bounded number of times.
 */
export async function listAll<T extends KubernetesObject>(
  transport: Transport,
  kind: Kind<T>,
  options: ListOptions = {},
): Promise<Listed<T>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await listPages(transport, kind, options);
    } catch (error) {
      if (!isGone(error) || attempt >= restarts) throw error;
    }
  }
}

async function listPages<T extends KubernetesObject>(
  transport: Transport,
  kind: Kind<T>,
  options: ListOptions,
): Promise<Listed<T>> {
  const items: T[] = [];
  let next: string | undefined;
  let limit = pageSize;
  for (;;) {
    const asked = query({ limit, continue: next, labelSelector: options.labelSelector });
    const path = collectionPath(kind, options.namespace) + asked;
    const page = await pageOrTooLong<T>(transport, path, limit);
    if (page === 'too long') {
      limit = Math.ceil(limit / 4);
      continue;
    }
    for (const item of page.items ?? []) items.push(trimmed(kind, item));
    next = page.metadata.continue || undefined;
    if (next === undefined) return { items, resourceVersion: page.metadata.resourceVersion ?? '' };
  }
}

/** Of very large objects fewer are asked for at once; a single one is never longer than an answer may be. */
async function pageOrTooLong<T>(transport: Transport, path: string, limit: number): Promise<Page<T> | 'too long'> {
  try {
    return await transport.call({ method: 'GET', path });
  } catch (error) {
    if (error instanceof AnswerTooLongError && limit > 1) return 'too long';
    throw error;
  }
}

/** List items lack apiVersion and kind, and managedFields are the bulk of an object that nobody here reads. */
export function trimmed<T extends KubernetesObject>({ apiVersion, kind }: Kind<T>, object: T): T {
  const { managedFields: _, ...metadata } = object.metadata as T['metadata'] & { managedFields?: unknown };
  return { ...object, apiVersion, kind, metadata };
}
