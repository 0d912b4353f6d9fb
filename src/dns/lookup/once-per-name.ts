/**
 * The function, computing each name's value once. Nothing is forgotten: for one check, whose names its packets bound
 * (check-budget.ts), and not for what lives longer.
 */
export function oncePerName<T>(compute: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>();
  return (name) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const value = compute(name);
    known.set(name, value);
    return value;
  };
}
