/** A place that is asked for: how many of a kind there are and may be. */
export interface Place {
  /** what is counted together, such as the projects of a namespace */
  readonly scope: string;
  readonly used: number;
  readonly maximum: number;
  /** what is thrown when no place is left */
  readonly refusal: () => Error;
}

/** Places held by what is being made and is not counted yet, so that racing requests cannot pass a cap together. */
export interface Reservations {
  /** Takes a place in all of the scopes or throws; returns what gives them back, to be called once or more. */
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
      let given = false;
      return () => {
        if (given) return;
        given = true;
        for (const { scope } of places) change(scope, -1);
      };
    },
  };
}
