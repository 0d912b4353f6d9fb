/** What package-lock.json, and npm's copy of it in node_modules, say of a package. */
export interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly optional?: boolean;
  readonly os?: string | readonly string[];
  readonly cpu?: string | readonly string[];
  readonly libc?: string | readonly string[];
}
interface Lock {
  readonly packages?: Readonly<Record<string, LockedPackage>>;
}
/** True when npm has installed each package of the lock that this machine takes, and no other. */
export declare function isInstalled(
  lock: Lock,
  found: Lock,
  machine: { readonly os: string; readonly cpu: string; readonly libc: string },
): boolean;
