import { days } from '../../src/rules/check-schedule.ts';
import { packetsOf } from './packet-costs.ts';
import type { SimulatedHostnames } from './simulated-hostnames.ts';
import { liveSince, lookAt, nextAt } from './simulated-look.ts';

/** The looks at Live domains of which nothing changes. */
export interface QuietLooks {
  readonly sampled: number;
  /** looks at the sampled names, one by one by the operator's schedule */
  readonly looks: number;
  /** looks at all names, in closed form */
  readonly looksAtAll: number;
  /** names whose looks went through the operator's history and findings, and what they cost */
  readonly decided: number;
  readonly decidedLooks: number;
  readonly packets: number;
  readonly writes: number;
}

export interface QuietSample {
  readonly sampled: number;
  readonly decided: number;
  readonly days: number;
  /** between two looks at a domain, milliseconds */
  readonly driftInterval: number;
}

/**
 * Follows every look at the first names for so many days by the schedule, at the first of them by the decisions as well,
 * and counts those at all other names in closed form.
 */
export function simulateQuietLooks(hostnames: SimulatedHostnames, sample: QuietSample): QuietLooks {
  const { driftInterval } = sample;
  const end = sample.days * days;
  const sampled = Math.min(sample.sampled, hostnames.size);
  const decided = Math.min(sample.decided, sampled);
  const sum = { looks: 0, looksAtAll: 0, decidedLooks: 0, packets: 0, writes: 0 };
  for (let name = 0; name < hostnames.size; name += 1)
    sum.looksAtAll += looksUntil(hostnames.uidOf(name), end, driftInterval);
  for (let name = 0; name < sampled; name += 1) sum.looks += scheduledLooks(hostnames.uidOf(name), end, driftInterval);
  for (let name = 0; name < decided; name += 1) {
    const uid = hostnames.uidOf(name);
    let history = liveSince(0, driftInterval);
    for (let at = nextAt(uid, history, 0); at < end; at = nextAt(uid, history, at)) {
      const look = lookAt(history, { uid, at, answer: 'yes', failureCounts: nothingFails });
      sum.decidedLooks += 1;
      sum.packets += packetsOf(look.verdict);
      if (look.isWritten) sum.writes += 1;
      history = look.after;
    }
  }
  return { sampled, decided, ...sum };
}

const nothingFails = { served: 1, failing: 0, namespaces: 1, failingNamespaces: 0 };

function scheduledLooks(uid: string, end: number, driftInterval: number): number {
  const history = liveSince(0, driftInterval);
  let looks = 0;
  for (let at = nextAt(uid, history, 0); at < end; at = nextAt(uid, history, at)) looks += 1;
  return looks;
}

/** The number of looks before a time, in closed form: a Live domain's interval never changes. */
export function looksUntil(uid: string, end: number, driftInterval: number): number {
  const history = liveSince(0, driftInterval);
  const first = nextAt(uid, history, 0);
  return Math.max(0, Math.ceil((end - first) / driftInterval));
}
