/** Lets so many turns of the event loop pass: what is ready by now is done, and so is what follows from it at once. */
export async function turnsOfLoop(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((done) => setImmediate(done));
}
