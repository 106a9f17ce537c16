import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

/** Frees what nothing holds any more. Without it, figures of memory show a growth that is not there. */
export const collect = runInNewContext('gc') as () => void

const megabyte = 1024 * 1024

/** Returns the memory of this thread: the heap and its array buffers, after a collection. */
export function heldMB(): number {
  collect()
  // Buffers are freed by a collection of their own.
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / megabyte
}
