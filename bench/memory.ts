import { type Bench } from './benchmark.ts'
import { heldMB } from './collect.ts'
import { compileSpec, findByKey } from './compiled.ts'
import { instantEngines } from './instant-engine.ts'
import { runOperations, createUnit } from './unit.ts'

const workers = 32
const keys = 1000
const powers = [5, 6, 7]

/**
 * Heap and array buffers after a run, while the unit and what it measured are still held. Goal: as much after ten million
 * operations as after a hundred thousand.
 */
export const memory: Bench = async ({ print }) => {
  const compiled = compileSpec(findByKey(keys, { kind: 'closed', workers }))
  // What the first run leaves behind for good is its compiled code.
  await heldAfter(10 ** 5)
  for (const power of powers) print(`after 10^${power} operations: ${(await heldAfter(10 ** power)).toFixed(2)} MB`)

  async function heldAfter(operations: number): Promise<number> {
    const unit = createUnit(compiled, instantEngines['inside of send'])
    const { run, total } = await runOperations(compiled, unit, operations)
    const held = heldMB()
    const recorded = total.operations()[0]?.ok
    if (run.calls !== operations || recorded !== operations)
      throw new Error(`${run.calls} calls ended and ${recorded} were recorded, of ${operations}`)
    return held
  }
}
