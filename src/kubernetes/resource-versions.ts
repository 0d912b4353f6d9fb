import { isGone, isVersionTooLarge } from './kubernetes-errors.ts';

/** A known version may belong to a history that is no more (etcd was restored): only a list can tell. */
export class HistoryChangedError extends Error {
  override readonly name = 'DoubtError';
}

/** True when a watch cannot go on from the version that is known. */
export const needsNewList = (error: unknown): boolean =>
  error instanceof HistoryChangedError || isGone(error) || isVersionTooLarge(error);

/**
 * Whether a version lies before another. Versions of one kind are decimal numbers that grow (Kubernetes API concepts,
 * "Resource versions"); false where either is not one.
 */
export function isEarlier(version: string | null, than: string | null): boolean {
  if (!isNumber(version) || !isNumber(than)) return false;
  return version.length === than.length ? version < than : version.length < than.length;
}

const isNumber = (version: string | null): version is string => version !== null && /^[1-9]\d*$/.test(version);
