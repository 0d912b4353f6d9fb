import { execFileSync } from 'node:child_process';

/** What a node does first; it all goes with the namespaces. */
const rehearsal = 'mount --make-rprivate / && mount -t tmpfs tmpfs /run && ip link add here type veth peer name there';

/** Null when a node can be made on this machine, else why not. */
export function nodeObstacle(): string | null {
  if (process.getuid?.() !== 0) return 'it needs root: a node makes namespaces, mounts and a network';
  try {
    execFileSync('unshare', ['--mount', '--net', '--pid', '--fork', '--mount-proc', '/bin/sh', '-c', rehearsal], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    return null;
  } catch (error) {
    return `namespaces cannot be made here: ${String((error as { stderr?: Buffer }).stderr ?? error).trim()}`;
  }
}
