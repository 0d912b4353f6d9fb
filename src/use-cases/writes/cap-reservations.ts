/** One counted limit that a new object must fit into. */
export interface Place {
  /** names what is counted together, such as the projects of a namespace */
  readonly scope: string;
  readonly used: number;
  readonly maximum: number;
  /** makes the error to throw when no place is left */
  readonly refusal: () => Error;
}

/**
 * Places reserved for objects that are being created and are not counted yet, so that racing requests cannot exceed a
 * cap.
 */
export interface Reservations {
  /** Reserves a place in each of the scopes, or throws. Returns an idempotent function that releases them. */
  reserve(places: readonly Place[]): () => void;
}

export function createReservations(): Reservations {
  const held = new Map<string, number>();
  const change = (scope: string, by: 1 | -1) => {
    const count = (held.get(scope) ?? 0) + by;
    if (count > 0) held.set(scope, count);
    else held.delete(scope);
  };
  return {
    reserve(places) {
      const full = places.find(({ scope, used, maximum }) => used + (held.get(scope) ?? 0) >= maximum);
      if (full) throw full.refusal();
      for (const { scope } of places) change(scope, 1);
      let released = false;
      return () => {
        if (released) return;
        released = true;
        for (const { scope } of places) change(scope, -1);
      };
    },
  };
}
