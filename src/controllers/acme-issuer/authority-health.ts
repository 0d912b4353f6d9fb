/** How one authority answers, as this process saw it. Times are milliseconds since the Unix epoch. */
interface Health {
  /** since when it has not answered; null where it does */
  readonly silentSince: number | null;
  readonly isDown: boolean;
  /** when it answered again after it was down; 0 where it never was */
  readonly answersSince: number;
}

/** Whether the authorities answer, by the URL of their directory: seen in orders, and in the look at their accounts. */
export interface AuthorityHealth {
  readonly of: (server: string) => Health;
  answered(server: string): void;
  /** It did not answer, or could not take an order. `since` is since when, where that is known from before this process. */
  silent(server: string, since?: number): void;
  /** Calls it whenever an authority's silence begins, one is down from now on, or answers again. */
  subscribe(listener: () => void): void;
}

/** Silence of so long is more than a restart of the authority's own, and little beside what its orders may take. */
const downAfterMs = 60_000;

const healthy: Health = Object.freeze({ silentSince: null, isDown: false, answersSince: 0 });

/** `now` in milliseconds since the Unix epoch. */
export function createAuthorityHealth(now: () => number): AuthorityHealth {
  const listeners: (() => void)[] = [];
  const change = (server: string, health: Health): void => {
    known.set(server, health);
    listeners.forEach((listener) => listener());
  };
  const known = new Map<string, Health>();
  const of = (server: string): Health => known.get(server) ?? healthy;
  return {
    of,
    answered(server) {
      const before = of(server);
      if (before.silentSince === null) return;
      change(server, { ...healthy, answersSince: before.isDown ? now() : before.answersSince });
    },
    silent(server, since = now()) {
      const before = of(server);
      const silentSince = before.silentSince ?? since;
      const isDown = now() - silentSince >= downAfterMs;
      if (before.silentSince === silentSince && before.isDown === isDown) return;
      change(server, { ...before, silentSince, isDown });
    },
    subscribe: (listener) => void listeners.push(listener),
  };
}
