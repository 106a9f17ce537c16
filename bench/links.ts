import { thisMachine } from '../src/servers/machine.ts'
import { startTarget, targetSpec } from '../src/servers/targets/index.ts'
import { pingByTurns } from '../src/servers/targets/links/measure-links.ts'
import { createStartContext } from '../src/servers/targets/start/start-context.ts'
import { type Bench, median } from './benchmark.ts'

/** The last one is not linked: what the proxy itself costs. */
const askedMs = [0.5, 0.864, 1.4, 5, 20, 71.187, null]
const rounds = 200

/**
 * How near the round trips of links come to what was asked: pings by turns through the proxy of a member and past it, on a
 * machine that has nothing else to do. The goal is a median within the larger of 1 ms and 10 %.
 */
export const links: Bench = async ({ mongod, print }) => {
  const signal = new AbortController().signal
  await using context = createStartContext({
    machine: thisMachine(process.env),
    mongod: await mongod(),
    uri: () => undefined,
    allowRemote: false,
    signal: signal,
    log: () => {},
  })
  await using target = await startTarget(
    targetSpec.parse({
      kind: 'replicaSet',
      members: askedMs.length,
      links: askedMs.flatMap((rttMs, member) => (rttMs === null ? [] : [{ from: ['client'], to: [member], rttMs }])),
    }),
    context,
  )
  for (const [index, asked] of askedMs.entries()) {
    const { host = '', hostInSet = '' } = target.members[index] ?? {}
    const { through, past } = await pingByTurns({ through: hostInSet, past: host }, rounds, signal)
    const added = (percent: number): string => (percentile(through, percent) - median(past)).toFixed(2).padStart(8)
    print(
      `asked ${(asked === null ? 'nothing' : `${asked} ms`).padEnd(10)} added: median ${added(50)} ms, p5 ${added(5)} ms, p95 ${added(95)} ms (ping past the proxy ${median(past).toFixed(2)} ms)`,
    )
  }
}

function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(((sorted.length - 1) * percent) / 100)] ?? 0
}
