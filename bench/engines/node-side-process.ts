// Runs as a process of its own; see node-side.ts.
import { measureCost } from '../benchmark.ts'
import { collect } from '../collect.ts'
import { compileSpec } from '../compiled.ts'
import { runOperations, createUnit } from '../unit.ts'
import { engineFor, type EngineName, specFor } from './engines-here.ts'
import { type NodeSideRequest } from './node-side.ts'
import { connectPlainSockets } from './plain-sockets.ts'
import { type NodeSideName, type SideCost, type SideLoad } from './side.ts'

/** Makes so many operations. */
type Run = (operations: number) => Promise<void>

const connectors: Readonly<Record<NodeSideName, (load: SideLoad) => Promise<Run>>> = {
  driver: (load) => connectEngine('driver', load),
  wire: (load) => connectEngine('wire', load),
  'plain sockets': connectPlainSockets,
}

async function connectEngine(name: EngineName, { uri, spec, workers }: SideLoad): Promise<Run> {
  const compiled = compileSpec(specFor(name, spec))
  const unit = createUnit(compiled, engineFor(uri, compiled.phase))
  await unit.connect(workers)
  return async (operations) => {
    const { total } = await runOperations(compiled, unit, operations)
    const ok = total.operations()[0]?.ok
    if (ok !== operations) throw new Error(`${name}: ${ok} of ${operations} operations were ok`)
  }
}

async function measureSideCost(operations: number): Promise<SideCost> {
  const before = performance.eventLoopUtilization()
  const cost = await measureCost(() => run?.(operations) ?? Promise.resolve(), operations)
  return { ...cost, loopBusy: performance.eventLoopUtilization(before).utilization }
}

const megabyte = 1024 * 1024

function settledRssMB(): number {
  collect()
  // Buffers are freed by a collection of their own.
  collect()
  return process.memoryUsage.rss() / megabyte
}

const reply = (message: object): void => void process.send?.(message)

let run: Run | undefined

process.on('message', async (request: NodeSideRequest) => {
  switch (request.kind) {
    case 'connect':
      run = await connectors[request.name](request.load)
      return reply({})
    case 'run':
      return reply(await measureSideCost(request.operations))
    case 'memory':
      return reply({ rssMB: settledRssMB() })
  }
})

// It ends with the process that has started it; servers close the other ends of its connections.
process.on('disconnect', () => process.exit())
