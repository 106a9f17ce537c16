import { setInterval } from 'node:timers/promises'

/** Readers of a run that is watched, in a process of their own: a browser for each address of events, and a Prometheus that asks once a second. */
const readToEnd = async (url: string): Promise<void> => {
  const { body } = await fetch(url)
  for await (const _ of body ?? []);
}

async function askEverySecond(url: string): Promise<void> {
  for await (const _ of setInterval(1000)) await readToEnd(url)
}

// The servers end before this process does.
const ended = (): void => undefined
for (const url of process.argv.slice(2)) void (url.endsWith('/metrics') ? askEverySecond : readToEnd)(url).catch(ended)
