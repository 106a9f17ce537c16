import { z } from 'zod'
import { type UnitPart, type UnitRun } from '../../load/load-unit.ts'
import { endings } from '../../load/loops/limits.ts'
import { slotMs } from '../../load/measure/availability-record.ts'
import { areBuckets } from '../../load/measure/latency.ts'
import { shortestBinMs } from '../../load/measure/throughput-record.ts'
import { errorCount } from '../../results/schema/calls.ts'
import { threadHealth } from '../../results/schema/client.ts'

const count = z.number().nonnegative()

/** A part is added to rows by second and by bin, which reach to the last of them: an agent that is not ours could send any. */
const maxSeconds = 7 * 24 * 3600
const upTo = (max: number) => z.int().min(0).max(max)

const latency = z.strictObject({
  count,
  sumUs: count,
  minUs: z.number(),
  maxUs: z.number(),
  clamped: count,
  buckets: z.instanceof(Uint32Array).refine(areBuckets, 'there is no such bucket'),
})
const someLatency = latency.or(z.undefined())

const errorPart = errorCount.extend({ firstMs: z.number() })

const calls = z.strictObject({
  latency: z.strictObject({ ok: someLatency, failed: someLatency, unknown: someLatency }),
  sums: z.strictObject({
    documents: count,
    bytes: count,
    matched: count,
    modified: count,
    upserted: count,
    inserted: count,
    deleted: count,
  }),
  errors: z.array(errorPart),
  expectedErrors: z.array(errorPart),
})

const second = z.strictObject({
  second: upTo(maxSeconds),
  failed: count,
  unknown: count,
  documents: count,
  ok: someLatency,
})

const samples = z.strictObject({ numbers: z.array(count), ms: z.array(z.number()), dropped: count, max: count })

const transaction = z.strictObject({
  counts: z.strictObject({
    attempts: count,
    retries: count,
    conflicts: count,
    commitRetries: count,
    commits: count,
    aborted: count,
    unknownCommits: count,
  }),
  aborts: z.record(z.string(), count),
  latency: z.strictObject({ firstTry: someLatency, commit: someLatency, aborted: someLatency }),
})

const operation = z.strictObject({
  calls,
  seconds: z.array(second),
  found: count,
  missing: count,
  steps: z.array(z.strictObject({ calls, skipped: count, found: count, missing: count })),
  samples: samples.or(z.undefined()),
  transaction: transaction.or(z.undefined()),
  planTimes: z.strictObject({ wait: someLatency, late: count, seconds: z.array(second) }).or(z.undefined()),
})

const someMs = z.number().or(z.undefined())

const slot = z.strictObject({
  firstSuccessMs: someMs,
  lastSuccessMs: someMs,
  firstEndMs: someMs,
  errors: z.array(errorPart),
})

const phasePart = z.strictObject({
  operations: z.array(operation),
  arrivals: z.strictObject({ planned: z.array(count), dropped: z.array(count) }),
  availability: z.strictObject({ slots: z.map(upTo((maxSeconds * 1000) / slotMs), slot), due: z.set(z.number()) }),
  throughput: z.map(upTo((maxSeconds * 1000) / shortestBinMs), z.number()),
  poolWait: someLatency,
  calls: count,
  documents: count,
  seconds: count,
})

const change = z.strictObject({ added: count, removed: count })

const evidence = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ledger'), ids: z.instanceof(Uint8Array), outcomes: z.instanceof(Uint8Array) }),
  z.strictObject({ kind: z.literal('tally'), done: change, perhaps: change }),
])

/** Part that agents report while they run. */
export const unitPart: z.ZodType<UnitPart> = z.strictObject({
  recorded: phasePart,
  evidence: z.array(evidence),
  completeBefore: z.number(),
  inFlight: count,
  isLast: z.boolean(),
})

/** How the run of one share ended, as agents hand it over: without the agent, which the coordinator knows. */
export const unitRun: z.ZodType<Omit<UnitRun, 'agent'>> = z.strictObject({
  beganMs: z.number(),
  endedBecause: z.enum(endings),
  endMs: z.number(),
  digest: z.string().max(200),
  calls: count,
  rows: z.array(z.strictObject({ first: count, next: count, taken: count, isFollowedAlone: z.boolean() })),
  openLoop: z.strictObject({ sentUntilMs: z.number(), peakInFlight: count }).or(z.undefined()),
  health: threadHealth.or(z.undefined()),
  counts: z.array(count).or(z.undefined()).optional(),
})
