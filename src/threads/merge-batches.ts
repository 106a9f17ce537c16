import { type CallBatch, callAt, type EndedCall, endOf, sizeOf } from './call-batch.ts'

/** What one thread has told and nobody has been handed yet. */
type Queue = { readonly batches: CallBatch[]; index: number; untilMs: number }

/**
 * Brings the calls of several threads into the one order in which they ended, as a recorder wants them. A call is held back
 * until every thread has told of all its calls that may have ended before.
 * @returns Takes a batch of a thread.
 */
export function mergeBatches(
  threads: number,
  deliver: (call: EndedCall) => void,
): (thread: number, batch: CallBatch) => void {
  const queues = Array.from({ length: threads }, (): Queue => ({ batches: [], index: 0, untilMs: -Infinity }))

  function deliverUntil(untilMs: number): void {
    for (;;) {
      let [earliest, earliestMs]: [Queue | undefined, number] = [undefined, Infinity]
      for (const queue of queues) {
        const endMs = nextEnd(queue)
        if (endMs < earliestMs) [earliest, earliestMs] = [queue, endMs]
      }
      if (earliest === undefined || earliestMs > untilMs) return
      deliver(takeNext(earliest))
    }
  }

  return (thread, batch) => {
    const queue = queues[thread]
    if (!queue) throw new RangeError(`There is no thread number ${thread}`)
    if (sizeOf(batch) > 0) queue.batches.push(batch)
    queue.untilMs = batch.untilMs
    deliverUntil(Math.min(...queues.map(({ untilMs }) => untilMs)))
  }
}

const nextEnd = ({ batches: [first], index }: Queue): number => (first ? endOf(first, index) : Infinity)

function takeNext(queue: Queue): EndedCall {
  const [first] = queue.batches
  if (!first) throw new Error('Nothing is waiting')
  const call = callAt(first, queue.index)
  queue.index += 1
  if (queue.index === sizeOf(first)) {
    queue.batches.shift()
    queue.index = 0
  }
  return call
}
