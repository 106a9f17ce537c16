// Runs as a thread of its own; see start-guard.ts.
import { writeSync } from 'node:fs'
import { Session } from 'node:inspector'
import { parentPort, workerData } from 'node:worker_threads'
import { createStallWatch, stalled } from './stall-watch.ts'

const lookMs = 1_000
/** Every connection may have a loop of its own, and between two of them there is one turn for the message. */
const interruptMs = 100
/** For the main thread to say why, and to exit. */
const graceMs = 5_000

const beats = workerData as Int32Array
const watch = createStallWatch()

const looking = setInterval(() => {
  const reason = watch({ beats: Atomics.load(beats, 0), rssBytes: process.memoryUsage.rss() })
  if (reason === undefined) return
  clearInterval(looking)
  setInterval(() => {
    parentPort?.postMessage(reason, [])
    interruptMainThread()
  }, interruptMs)
  setTimeout(() => {
    // A call of the system holds the main thread, and not JavaScript.
    const { message, hint } = stalled('The run', reason)
    writeSync(2, `error: ${message}\nhint: ${hint}\n`)
    process.kill(process.pid, 'SIGKILL')
  }, graceMs)
}, lookMs)

/** Ends the JavaScript that runs there: its event loop then turns again, and gets the message. */
function interruptMainThread(): void {
  const session = new Session()
  session.connectToMainThread()
  session.post('Runtime.terminateExecution')
  session.disconnect()
}
