import { minutes } from '../../src/rules/check-schedule.ts';
import { packetsOf } from './packet-costs.ts';
import type { SimulatedFault } from './simulated-faults.ts';
import { dnsAt } from './simulated-faults.ts';
import type { SimulatedHostnames } from './simulated-hostnames.ts';
import type { Look, NameHistory } from './simulated-look.ts';
import { isQuiet, liveSince, lookAt, nextAt } from './simulated-look.ts';

/** The looks at the names that one fault touches, from its beginning until all of them are Live again. */
export interface TouchedLooks {
  readonly names: number;
  readonly looks: number;
  readonly packets: number;
  /** writes of status */
  readonly writes: number;
  /** names that became Degraded while their DNS said no, and while it did not */
  readonly degraded: number;
  readonly falselyDegraded: number;
  /** milliseconds from the fault's beginning to the first Degraded; null without one */
  readonly firstDegradedAfter: number | null;
  /** milliseconds from the fault's end until the last name was Live again */
  readonly mendedAfter: number;
}

/** Looks at every touched name through the operator's own schedule, history and findings. Milliseconds. */
export function simulateTouchedLooks(
  hostnames: SimulatedHostnames,
  fault: SimulatedFault,
  driftInterval: number,
): TouchedLooks {
  const touched = Array.from({ length: hostnames.size }, (_, name) => name).filter(fault.touches);
  const served = hostnames.size;
  const failing = fault.dns === 'no' ? touched.length : 0;
  const failureCounts = { served, failing, namespaces: served, failingNamespaces: failing };
  const sum = { looks: 0, packets: 0, writes: 0, degraded: 0, falselyDegraded: 0 };
  let [firstDegraded, lastMended] = [Number.POSITIVE_INFINITY, fault.to];
  const count = (before: NameHistory, look: Look) => {
    const { at, answer, after } = look;
    sum.looks += 1;
    sum.packets += packetsOf(look.verdict);
    if (look.isWritten) sum.writes += 1;
    if (before.isLive && !after.isLive) {
      sum[answer === 'no' ? 'degraded' : 'falselyDegraded'] += 1;
      firstDegraded = Math.min(firstDegraded, at);
    }
    if (after.isLive && isQuiet(after) && !isQuiet(before)) lastMended = Math.max(lastMended, at);
  };
  for (const name of touched) {
    const uid = hostnames.uidOf(name);
    let history = liveSince(fault.from - minutes, driftInterval);
    for (let at = nextAt(uid, history, fault.from); at < fault.to || !isQuiet(history); at = nextAt(uid, history, at)) {
      const look = lookAt(history, { uid, at, answer: dnsAt([fault], name, at), failureCounts });
      count(history, look);
      history = look.after;
    }
  }
  const firstDegradedAfter = Number.isFinite(firstDegraded) ? firstDegraded - fault.from : null;
  return { names: touched.length, ...sum, firstDegradedAfter, mendedAfter: lastMended - fault.to };
}
