/** The texts of several orders at one label, which are written together: each write replaces what is there. */
interface SharedLabels {
  /** Writes the label anew with these texts of the order, after whatever is being written there. */
  write(label: string, order: string, texts: readonly string[]): Promise<void>;
  /** What other orders have at the label. */
  others(label: string, order: string): readonly string[];
}

type Write = (label: string, texts: readonly string[]) => Promise<void>;

/** Remembers a label while an order has texts there, and no longer. */
export function createSharedLabels(write: Write): SharedLabels {
  const labels = new Map<string, Map<string, readonly string[]>>();
  const writing = new Map<string, Promise<void>>();

  const keep = (label: string, order: string, texts: readonly string[]) => {
    const orders = labels.get(label) ?? new Map<string, readonly string[]>();
    if (texts.length === 0) orders.delete(order);
    else orders.set(order, texts);
    if (orders.size === 0) labels.delete(label);
    else labels.set(label, orders);
  };
  const textsAt = (label: string, without?: string): readonly string[] =>
    [...(labels.get(label) ?? [])].flatMap(([order, texts]) => (order === without ? [] : texts));

  return {
    async write(label, order, texts) {
      keep(label, order, texts);
      const before = writing.get(label) ?? Promise.resolve();
      // What an earlier write failed by is told to whoever asked for it.
      const own = before.catch(() => undefined).then(() => write(label, textsAt(label)));
      writing.set(label, own);
      try {
        await own;
      } finally {
        if (writing.get(label) === own) writing.delete(label);
      }
    },
    others: textsAt,
  };
}
