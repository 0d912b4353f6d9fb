/** The sum of a metric's values over all series whose line contains `labels`. */
export type Metrics = (name: string, labels?: string) => number;

/** What one of our processes counts, at `<url>/metrics`. Rejects when it does not answer. */
export async function scrape(url: string): Promise<Metrics> {
  const text = await (await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(30_000) })).text();
  return (name, labels = '') => {
    const lines = text.split('\n').filter((line) => line.startsWith(name) && line.includes(labels));
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
  };
}
