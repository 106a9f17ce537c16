// Runs as a thread of its own; see harness.ts.
import { parentPort, workerData } from 'node:worker_threads'
import { compileSpec } from './compiled.ts'
import { instantEngines, type WorkOfThread } from './instant-engine.ts'
import { runOperations, createUnit } from './unit.ts'

if (!parentPort) throw new Error('This file is run by a thread')
const port = parentPort
const { engine, share, spec } = workerData as WorkOfThread
const compiled = compileSpec(spec)
const unit = createUnit(compiled, instantEngines[engine], share)

/** Each message is a number of operations, of which the unit makes its share. */
port.on('message', (operations: number) => {
  void runOperations(compiled, unit, operations, share).then(({ run }) => port.postMessage(run.calls, []))
})
port.postMessage('ready', [])
