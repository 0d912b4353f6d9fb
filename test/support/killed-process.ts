/** What ends a process of a test, which knows nothing afterwards. */
class Killed extends Error {}

/** What processes did, each act by its name, and after how many acts of them all one is killed; never when null. */
export interface ActLog {
  readonly acts: string[];
  killAfter: number | null;
}

/** Notes an act, and ends the process where this was its last one. */
export function did(log: ActLog, act: string): void {
  log.acts.push(act);
  if (log.acts.length !== log.killAfter) return;
  log.killAfter = null;
  throw new Killed(`after ${act}`);
}

export const countOf = ({ acts }: ActLog, act: string): number => acts.filter((one) => one === act).length;

/** Does everything that `able` does, and ends the process once it has done so many things. */
export function mortal<T extends object>(able: T, log: ActLog): T {
  return new Proxy(able, {
    get(target, name) {
      const member = target[name as keyof T];
      if (typeof member !== 'function') return member;
      return async (...args: unknown[]) => {
        const answer: unknown = await (member as (...all: unknown[]) => Promise<unknown>).apply(target, args);
        did(log, String(name));
        return answer;
      };
    },
  });
}

/** What a process did; undefined where it was killed meanwhile. */
export async function unlessKilled<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Killed) return undefined;
    throw error;
  }
}
