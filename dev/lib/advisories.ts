import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** What the registry knows against the locked packages. */
export interface Advisories {
  readonly found: boolean;
  /** a line, or several when something was found */
  readonly summary: string;
}

interface Report {
  readonly message?: string;
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range: string }>>;
}

const patienceMs = 60_000;

/** Asks with npm audit. */
export const advisories = async (): Promise<Advisories> => read(await npmAudit());

/** Reads the JSON of npm audit; anything that is no report is no answer. */
export function read(text: string): Advisories {
  const { vulnerabilities, message } = parse(text);
  if (!vulnerabilities)
    return {
      found: false,
      summary: `known advisories: not asked, the registry gives no answer (${message ?? 'none'})`,
    };
  const lines = Object.entries(vulnerabilities).map(([name, { severity, range }]) => `${severity}: ${name} ${range}`);
  if (lines.length === 0) return { found: false, summary: 'known advisories: none' };
  return { found: true, summary: `known advisories:\n${lines.join('\n')}` };
}

function parse(text: string): Report {
  try {
    return (JSON.parse(text) as Report | null) ?? {};
  } catch {
    return {};
  }
}

/** What it prints; npm ends with a status other than 0 when it found something, or nobody to ask. */
function npmAudit(): Promise<string> {
  const options = { cwd: join(import.meta.dirname, '../..'), timeout: patienceMs };
  return new Promise((resolve) => {
    const child = spawn('npm', ['audit', '--json'], { ...options, stdio: ['ignore', 'pipe', 'ignore'] });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.on('error', () => resolve(''));
    child.on('close', () => resolve(text));
  });
}
