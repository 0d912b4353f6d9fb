import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** What wrk measured in one slot. */
export interface Load {
  readonly perSecond: number;
  /** milliseconds */
  readonly p50: number;
  readonly p99: number;
  readonly refused: number;
  readonly requests: number;
}

const run = promisify(execFile);

/** A script for wrk that sends one key after the other to the URL that it is given, and counts what was refused. */
export function writeLoadScript(file: string, keysFile: string): void {
  writeFileSync(
    file,
    `local requests, at = {}, 0
function init()
  for key in io.lines(${JSON.stringify(keysFile)}) do
    requests[#requests + 1] = wrk.format('GET', nil, {['x-api-key'] = key})
  end
  at = math.random(#requests)
end
function request()
  at = at % #requests + 1
  return requests[at]
end
function done(summary, latency)
  io.write(string.format('RESULT %d %d %d %d %d %d\\n', summary.requests, summary.duration, latency:percentile(50),
    latency:percentile(99), summary.errors.status, summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout))
end
`,
  );
}

export interface Slot {
  readonly wrk: string;
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  readonly script: string;
}

/** One slot of load from the second processor. Throws when a request got no answer. */
export async function putLoad({ wrk, url, connections, seconds, script }: Slot): Promise<Load> {
  const args = ['-c', '1', wrk, '-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, url];
  const { stdout } = await run('taskset', args, { timeout: (seconds + 20) * 1_000 });
  const result = /RESULT (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)/.exec(stdout);
  if (!result) throw new Error(`wrk said: ${stdout}`);
  const [requests = 0, micros = 0, p50 = 0, p99 = 0, refused = 0, errors = 0] = result.slice(1).map(Number);
  if (errors > 0 || requests === 0) throw new Error(`${errors} of ${requests} requests got no answer`);
  return { perSecond: (requests * 1e6) / micros, p50: p50 / 1_000, p99: p99 / 1_000, refused, requests };
}
