import { expect, test } from 'vitest'
import { comesTrue } from '../../../bench/start/wait.ts'
import { workplace } from '../support/program.ts'
import { sharedServer } from '../support/shared-servers.ts'
import { fewReads, ownTarget } from '../support/specs.ts'

const server = sharedServer()

/** What would go on or come back after a run: sockets, timers, threads, processes and listeners. */
const traces = () => ({
  listeners: process.eventNames().map((name) => [name, process.listenerCount(name)]),
  folder: process.cwd(),
  environment: { ...process.env },
})

const resources = (): readonly string[] => process.getActiveResourcesInfo()

const count = (all: readonly string[], kind: string): number => all.filter((one) => one === kind).length

/** Resources of which there are more than before. Timers of other clients in this process may end meanwhile. */
function findAdded(before: readonly string[], after: readonly string[]): readonly string[] {
  return [...new Set(after)].filter((kind) => count(after, kind) > count(before, kind))
}

test.each([
  { what: 'on a server that is there', changes: {} },
  { what: 'on a server of its own', changes: ownTarget },
  { what: 'with threads', changes: { parameters: {}, ...threads() } },
])('a run of the command line $what leaves nothing behind in its process', async ({ changes }) => {
  await using place = await workplace(server)
  const run = ['run', await place.spec(fewReads(changes)), '--live', '--metrics', '0', '--stream', 'run.ndjson']
  // What is loaded once stays.
  expect((await place.run(run)).code).toBe(0)
  const before = traces()
  const added: (readonly string[])[] = []
  for (const _ of ['second', 'third']) {
    const resourcesBefore = resources()
    expect((await place.run(run)).code).toBe(0)
    await comesTrue(() => findAdded(resourcesBefore, resources()).length === 0, 5_000)
    added.push(findAdded(resourcesBefore, resources()))
  }
  // Clients of the tests before this one open sockets and timers of their own now and then; what a run leaves, each run leaves.
  expect(added[0]?.filter((kind) => added[1]?.includes(kind))).toEqual([])
  expect(traces()).toEqual(before)
})

function threads(): object {
  const operations = [{ kind: 'findOne', filter: { _id: 5 } }]
  const load = { kind: 'closed', workers: 2, threads: 2 }
  return { phases: [{ name: 'read', load, stopAfter: { operations: 20 }, operations }] }
}
