import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import { promisify } from 'node:util';
import type { LeapingTimers } from './leaping-timers.ts';

/**
 * Has a program go by leaping timers that knows nothing of them: Date, performance.now, setTimeout and setInterval, and those of
 * node:timers/promises. AbortSignal.timeout and the timeouts of sockets stay real, as they are about others, whose clocks do not leap.
 */
export function leapInsteadOfReal(leaping: LeapingTimers): void {
  replaceTime(leaping);
  const waiting = promisesOf(leaping);
  type Callback = (...args: readonly unknown[]) => void;
  const setTimeout = (run: Callback, ms = 1, ...args: readonly unknown[]) =>
    leaping.start(() => run(...args), Number(ms));
  const setInterval = (run: Callback, ms = 1, ...args: readonly unknown[]) =>
    leaping.start(() => run(...args), Number(ms), true);
  Object.assign(setTimeout, { [promisify.custom]: waiting.setTimeout });
  /** Given what setTimeout gave, or its number. */
  const clear = (timer: unknown) => {
    if (timer !== null && timer !== undefined) leaping.stop(Number(timer));
  };
  const replacements = { setTimeout, setInterval, clearTimeout: clear, clearInterval: clear };
  Object.assign(globalThis, replacements);
  Object.assign(timers, replacements);
  Object.assign(timersPromises, waiting);
  Object.assign(timersPromises.scheduler, {
    wait: (ms: number, options?: object) => waiting.setTimeout(ms, undefined, options),
  });
  syncBuiltinESMExports();
}

function replaceTime(leaping: LeapingTimers): void {
  const { Date: RealDate, performance } = globalThis;
  const now = () => Math.floor(RealDate.now() + leaping.ahead());
  const LeapingDate = new Proxy(RealDate, {
    construct: (target, args: unknown[], self: new () => object) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, self) as object,
    apply: () => new RealDate(now()).toString(),
    get: (target, name, self) => (name === 'now' ? now : (Reflect.get(target, name, self) as unknown)),
  });
  const elapsed = performance.now.bind(performance);
  Object.assign(globalThis, { Date: LeapingDate });
  Object.defineProperty(performance, 'now', { configurable: true, value: () => elapsed() + leaping.ahead() });
}

interface WaitOptions {
  readonly signal?: AbortSignal;
  readonly ref?: boolean;
}

/** The same as promises. */
function promisesOf(leaping: LeapingTimers) {
  const setTimeout = <T>(ms = 1, value?: T, { signal, ref = true }: WaitOptions = {}): Promise<T | undefined> =>
    new Promise((resolve, reject) => {
      const fail = () =>
        reject(new DOMException('The operation was aborted', { name: 'AbortError', cause: signal?.reason }));
      if (signal?.aborted) return fail();
      const timer = leaping.start(() => {
        signal?.removeEventListener('abort', aborted);
        resolve(value);
      }, ms);
      if (!ref) timer.unref();
      const aborted = () => {
        timer.close();
        fail();
      };
      signal?.addEventListener('abort', aborted, { once: true });
    });
  async function* setInterval<T>(ms = 1, value?: T, options: WaitOptions = {}) {
    for (;;) yield await setTimeout(ms, value, options);
  }
  return { setTimeout, setInterval };
}
