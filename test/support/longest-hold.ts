import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolutionMs = 1;

/** The longest time, milliseconds, for which the event loop of this process did not turn while `act` went on. */
export async function longestHold(act: () => Promise<void>): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  // The first tick is counted from here on, so a hold right at the beginning is seen.
  await new Promise((done) => setTimeout(done, 5 * resolutionMs));
  await act();
  await new Promise((done) => setTimeout(done, 5 * resolutionMs));
  delays.disable();
  return delays.max / 1e6;
}
