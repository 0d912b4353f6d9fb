import type { ServerResponse } from 'node:http';
import type { Script } from './fake-api-server.ts';
import { eventLine, object, refuse, watchRaw } from './fake-api-server.ts';

export const names = ['a', 'b', 'c'] as const;

export interface Change {
  readonly verb: 'write' | 'delete' | 'make anew';
  readonly name: (typeof names)[number];
  /** when whoever made it is answered, of a change of ours: before the watch tells of it, or with the next request */
  readonly answered: 'never' | 'at once' | 'late';
}

export const faults = [
  'none',
  'unavailable',
  'limited',
  'gone',
  'gone as an event',
  'reset in the middle of a line',
  'half a line',
  'garbage',
  'silence',
  'ends after one event',
  'bookmark and end',
] as const;

/** What happens at one request: first the world changes, then the answer is spoilt. */
export interface Step {
  readonly fault: (typeof faults)[number];
  readonly changes: readonly Change[];
}

interface Happened {
  readonly version: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: ReturnType<typeof object>;
}

export interface ScriptedWorld {
  readonly list: Script;
  readonly watch: Script;
  /** every step was played */
  settled(): boolean;
  /** NAME@VERSION of what exists, sorted */
  truth(): readonly string[];
  /** is told what writes of ours are answered with */
  onAnswer: (written: ReturnType<typeof object>) => void;
}

/** Objects with a history, served rightly except for what each request's step spoils; after the last step all is well. */
export function createScriptedWorld(steps: readonly Step[]): ScriptedWorld {
  const left = [...steps];
  const living = new Map<string, ReturnType<typeof object>>();
  const history: Happened[] = [];
  const open = new Set<ServerResponse>();
  const late: ReturnType<typeof object>[] = [];
  let version = 100;

  const happen = (type: Happened['type'], name: string, uid: string) => {
    version += 1;
    const subject = object(name, version, uid);
    history.push({ version, type, object: subject });
    if (type === 'DELETED') living.delete(name);
    else living.set(name, subject);
    for (const response of open) response.write(eventLine(type, subject));
  };
  const answer = ({ verb, name, answered }: Change) => {
    const written = living.get(name);
    if (!written || verb === 'delete') return;
    if (answered === 'at once') scripted.onAnswer(written);
    if (answered === 'late') late.push(written);
  };
  const change = ({ verb, name }: Change) => {
    const uid = living.get(name)?.metadata.uid;
    if (uid !== undefined && verb !== 'write') happen('DELETED', name, uid);
    if (verb === 'delete') return;
    if (uid !== undefined && verb === 'write') happen('MODIFIED', name, uid);
    else happen('ADDED', name, `uid-${version}`);
  };
  const next = (): Step['fault'] => {
    const step = left.shift();
    late.splice(0).forEach((written) => scripted.onAnswer(written));
    for (const one of step?.changes ?? []) {
      change(one);
      answer(one);
    }
    return step?.fault ?? 'none';
  };
  const since = (url: URL) => {
    const from = Number(url.searchParams.get('resourceVersion'));
    return history.filter((event) => event.version > from).map((event) => eventLine(event.type, event.object));
  };

  const scripted: ScriptedWorld = {
    onAnswer: () => undefined,
    list(response, url) {
      const refusal = refusals[next()];
      if (refusal) return refusal(response, url);
      const metadata = { resourceVersion: String(version) };
      response.writeHead(200).end(JSON.stringify({ metadata, items: [...living.values()] }));
    },
    watch(response, url) {
      const fault = next();
      const events = since(url);
      const spoil = refusals[fault] ?? spoilt(fault, events, version);
      if (spoil) return spoil(response, url);
      response.writeHead(200).write(events.join('') || '\n');
      open.add(response);
      response.once('close', () => open.delete(response));
    },
    settled: () => left.length === 0,
    truth: () => [...living.values()].map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`).toSorted(),
  };
  return scripted;
}

const refusals: Readonly<Partial<Record<Step['fault'], Script>>> = Object.freeze({
  unavailable: refuse(503),
  limited: refuse(429, { 'retry-after': '0' }),
  gone: refuse(410),
});

function spoilt(fault: Step['fault'], events: readonly string[], version: number): Script | undefined {
  const [first = ''] = events;
  const all = events.join('');
  const half = all.slice(0, Math.ceil(all.length * 0.6));
  if (fault === 'gone as an event') return watchRaw(all + eventLine('ERROR', { code: 410, metadata: {} }), 'silence');
  if (fault === 'reset in the middle of a line') return watchRaw(half, 'reset');
  if (fault === 'half a line') return watchRaw(half, 'end');
  if (fault === 'garbage') return watchRaw(`${first}{"type":\n`, 'silence');
  if (fault === 'silence') return watchRaw(half, 'silence');
  if (fault === 'ends after one event') return watchRaw(first, 'end');
  if (fault !== 'bookmark and end') return undefined;
  return watchRaw(all + eventLine('BOOKMARK', { metadata: { resourceVersion: String(version) } }), 'end');
}
