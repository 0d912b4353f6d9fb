/** Whether node_modules holds what the lock file says, by the copy of it that npm leaves there (node_modules/.package-lock.json). Pure. */

/**
 * True when npm has installed each package of the lock that this machine takes, and no other.
 * `lock` is package-lock.json, `found` node_modules/.package-lock.json; their types stand beside this file.
 */
export function isInstalled(lock, found, machine) {
  const wanted = lock.packages ?? {};
  const there = found.packages ?? {};
  const isSame = (path) =>
    there[path] !== undefined &&
    there[path].version === wanted[path]?.version &&
    there[path].integrity === wanted[path]?.integrity;
  const missing = Object.keys(wanted).filter((path) => path !== '' && isTaken(wanted[path], machine) && !isSame(path));
  return missing.length === 0 && Object.keys(there).every((path) => wanted[path] !== undefined && isSame(path));
}

/** What is optional without a word about machines is a dependency of what is for some: it comes with that, or not at all. */
function isTaken({ optional, os, cpu, libc }, machine) {
  if (!optional) return true;
  if (!os && !cpu) return false;
  return isFor(os, machine.os) && isFor(cpu, machine.cpu) && isFor(libc, machine.libc);
}

/** As npm reads these lists; `!win32` stands for all but that. */
function isFor(names = [], name) {
  const list = [names].flat();
  if (list.includes(`!${name}`)) return false;
  const named = list.filter((one) => !one.startsWith('!'));
  return named.length === 0 || named.includes(name);
}
