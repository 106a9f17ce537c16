import { url as debuggerUrl } from 'node:inspector'
import { entryPath } from '../../entries.ts'
import { type Problem } from '../../errors.ts'
import { createWorker } from '../create-worker.ts'
import { stalled } from './stall-watch.ts'

const beatMs = 500

/**
 * Has a thread watch over the event loop of this process, for as long as that runs: deadlines and signals need it too, so nothing
 * else would end an endless loop of the driver. See docs/adr/0010-guard-thread.md.
 * @param onStalled Called when that loop was interrupted: says why, and ends the process in the same turn, for the next one may
 * stand still again. A process that goes on is killed.
 */
export function startGuard(onStalled: (problem: Problem) => void): void {
  // A debugger holds the event loop on purpose.
  if (debuggerUrl() !== undefined) return
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  setInterval(() => Atomics.add(beats, 0, 1), beatMs).unref()
  const thread = createWorker(entryPath('core/threads/guard/guard-thread'), beats)
  thread.on('message', (reason: string) => onStalled(stalled('The run', reason)))
  // A machine that has no thread left runs without it.
  thread.on('error', () => undefined)
  // Not before: a listener keeps the process running.
  thread.unref()
}
