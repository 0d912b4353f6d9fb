/**
 * The door of every npm script: `node dev/start.mjs <command> [args]`.
 *
 * Plain JavaScript for the Node that happens to be on the machine (20 or newer), importing only Node's own modules and a neighbour like it.
 * It installs the locked packages when they are missing or stale (whoever ran `npm ci` has them), then runs dev/commands/<command>.ts on the pinned
 * Node, passing signals and the exit status through. The child keeps a channel to this process: when the channel
 * closes (this process was killed), the child stops too.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isInstalled } from './lib/installed-packages.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.projectdomain-stamp');
const lockFile = join(root, '.install.lock');
const installDeadlineMs = 15 * 60_000;

const wantedStamp = () =>
  createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');

const installed = () =>
  (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wantedStamp()) || isInstalledByHand();

/** What `npm ci` did without us is not done again. */
function isInstalledByHand() {
  try {
    const [lock, found] = [join(root, 'package-lock.json'), join(modules, '.package-lock.json')].map((path) =>
      JSON.parse(readFileSync(path, 'utf8')),
    );
    const libc = process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
    if (!isInstalled(lock, found, { os: process.platform, cpu: process.arch, libc })) return false;
    writeFileSync(stampFile, wantedStamp());
    return true;
  } catch {
    return false;
  }
}

/** True while the process that wrote the lock lives; a lock without a live owner is left over from a killed run. */
function lockIsHeld() {
  try {
    const pid = Number(readFileSync(lockFile, 'utf8'));
    if (!pid) return Date.now() - statSync(lockFile).mtimeMs < 5_000;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function tryLock() {
  try {
    const file = openSync(lockFile, 'wx');
    writeFileSync(file, String(process.pid));
    closeSync(file);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

async function install() {
  const deadline = Date.now() + installDeadlineMs;
  while (!tryLock()) {
    if (!lockIsHeld()) rmSync(lockFile, { force: true });
    else if (Date.now() > deadline) throw new Error(`another install holds ${lockFile} for too long`);
    else await sleep(200);
  }
  try {
    if (installed()) return;
    process.stderr.write('installing packages (npm ci)\n');
    const status = await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: root, stdio: ['ignore', 2, 2] });
    if (status !== 0) throw new Error(`npm ci failed with status ${status}; its output is above`);
    mkdirSync(modules, { recursive: true });
    writeFileSync(stampFile, wantedStamp());
  } finally {
    rmSync(lockFile, { force: true });
  }
}

function pinnedNode() {
  const path = join(modules, `node-linux-${process.arch}`, 'bin', 'node');
  if (existsSync(path)) return path;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return process.execPath;
  throw new Error(`no Node for ${process.platform}-${process.arch} among the packages; install Node 24 and try again`);
}

/** Runs a program to its end; resolves to its exit status, signals counted as 128 + number. */
function run(file, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, options);
    const stop = passSignals(child);
    child.on('error', reject);
    child.on('close', (status, signal) => {
      stop();
      resolve(signal ? 128 + { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }[signal] || 1 : status);
    });
  });
}

/** Ctrl-C arrives from the terminal and again from npm: the same signal within a second is one signal. */
function passSignals(child) {
  const last = {};
  const pass = (signal) => {
    const now = Date.now();
    if (now - (last[signal] ?? 0) < 1_000) return;
    last[signal] = now;
    child.kill(signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  signals.forEach((signal) => process.on(signal, pass));
  return () => signals.forEach((signal) => process.off(signal, pass));
}

/**
 * Installs what is missing and runs a TypeScript file of this project on the pinned Node.
 * @param {string} entry path below the project's folder
 * @param {string[]} args
 * @returns {Promise<number>} its exit status
 */
export async function start(entry, args) {
  if (!installed()) await install();
  const node = pinnedNode();
  const path = `${dirname(node)}:${join(modules, '.bin')}:${process.env.PATH}`;
  // What is compiled, and stripped of its types, is kept for every process that comes of it: most start in a third of the processor time.
  const compiled = process.env.NODE_COMPILE_CACHE ?? join(modules, '.cache', 'compiled');
  return run(node, ['--disable-warning=ExperimentalWarning', join(root, entry), ...args], {
    env: { ...process.env, PATH: path, NODE_COMPILE_CACHE: compiled },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
}

async function main([command, ...args]) {
  const entry = `dev/commands/${command}.ts`;
  if (!/^[a-z0-9-]+$/.test(command ?? '') || !existsSync(join(root, entry))) {
    process.stderr.write(`no command '${command ?? ''}'; see the scripts in package.json\n`);
    return 3;
  }
  return start(entry, args);
}

if (process.argv[1] && fileURLToPath(import.meta.url) === process.argv[1]) {
  process.exitCode = await main(process.argv.slice(2)).catch((error) => {
    process.stderr.write(`${error.message}\n`);
    return 1;
  });
}
