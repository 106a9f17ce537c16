import { count, figure, flag, list, nullByDefault, orEmpty, orNull, part, text } from './fields.ts'
import { latency } from './latency.ts'

const ofOneThread = {
  eventLoopUtilization: figure.describe('Share of the window in which the event loop was busy, 0 to 1.'),
  eventLoopDelayP99Ms: orNull(figure).describe(
    'Delay of timers, without the resolution of the monitor. Null if the loop was too busy to fire one.',
  ),
  eventLoopDelayMaxMs: orNull(figure),
  gcMs: figure,
  gcCount: count,
  heapUsedMB: figure,
  saturated: flag.describe('True: the client was the bottleneck, so that throughput is a lower bound for the server.'),
}

export const threadHealth = part('Health of one thread that runs operations.', {
  workers: count,
  ...ofOneThread,
  operations: nullByDefault(count).describe('Operations that it made. Null: in older results.'),
  endedAtSeconds: nullByDefault(figure).describe(
    'Seconds from the start of the window to its last answer. Null: in older results.',
  ),
})

export const clientHealth = part(
  'Health of the client. With several threads: the worst event loop, and the sums of garbage collections and heaps.',
  {
    ...ofOneThread,
    cpuPercent: figure.describe('CPU time of this process over the window, in percent of one core.'),
    rssMB: figure,
    threads: orEmpty(threadHealth).describe('Every thread that ran operations; empty if the main thread ran them.'),
  },
)

export const otherLoad = part(
  'CPU time of a machine used by processes other than this client and the measured servers.',
  {
    runs: list(text).describe('Processes on the machine: "client", and members by name.'),
    cpuPercent: figure.describe('Percent of the CPU time of all cores, without interrupts and stolen time.'),
    usedPercent: nullByDefault(figure).describe(
      'CPU time of all processes of the machine, in percent of all cores. Null: in older results.',
    ),
  },
)

export const machineSpeed = part(
  "Speed of the client's machine before a phase (before its warm-up) and after its window, in runs of a fixed kernel per second.",
  { before: figure, after: figure },
)

export const poolResult = part('Connection pool through which the operations of a phase went.', {
  maxPoolSize: count.describe('Connections to each server, at most.'),
  maxConnecting: count,
  waitQueueTimeoutMS: count,
  wait: orNull(latency).describe('Null: nothing was sent.'),
})

export type { ClientHealth, OtherLoad, ThreadHealth } from '../result-types.ts'
