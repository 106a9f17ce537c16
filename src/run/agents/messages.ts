import { z } from 'zod'
import { Problem, type ProblemCode, problems } from '../../core/errors.ts'
import { printableName } from '../../core/printable.ts'
import { type EvidenceRequest } from '../../load/evidence.ts'
import { type RunRequest } from '../../load/load-unit.ts'
import { type PackedError } from '../../load/threads/messages.ts'
import { maxNameLength, maxThreads } from './limits.ts'
import { unitPart, unitRun } from './part-schema.ts'

const bytes: z.ZodType<Uint8Array> = z.instanceof(Uint8Array)
const whole = z.int().nonnegative()
const share = z
  .strictObject({ index: whole, of: z.int().positive() })
  .refine(({ index, of }) => index < of, 'the index of a share is below their number')

const evidenceRequest: z.ZodType<EvidenceRequest> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('inserts'), operation: whole, step: whole.or(z.undefined()), field: z.string() }),
  z.strictObject({ kind: z.literal('changes'), collection: z.string(), operations: z.array(whole) }),
])

/** Work for an agent. It validates the spec itself, with its own permissions; no URI is in it. */
const specWork = z.strictObject({
  /** The spec as JSON, with the profile, parameters, servers and engine of the command line in it. */
  spec: z.string(),
  /** Rows that the command line chose, and whether existing servers replace the target of the spec. */
  only: z.array(z.string()),
  existing: z.boolean(),
  /** Hash of the work that the coordinator has compiled: that of the agent has to be the same. */
  hash: z.string(),
  /** The recording that was sent, by its digest, and how it is replayed in the place of what operations are. Undefined: they are the load. */
  replay: z.strictObject({ digest: z.string(), given: z.unknown() }).or(z.undefined()).optional(),
})

export type SpecWork = z.output<typeof specWork>

/** Work from which an agent makes its units of load. */
export const agentWork = specWork.extend({
  /** Positions of the row and its phase. */
  row: whole,
  phase: whole,
  /** The step of a search that the phase is. Undefined: it is no search. */
  step: z
    .strictObject({ at: z.number(), purpose: z.enum(['step', 'again', 'confirm']) })
    .or(z.undefined())
    .optional(),
  /** Identity of the deployment to measure; see `deployment-identity.ts`. */
  deployment: z.string(),
  shares: z.array(share).min(1),
  firstRows: z.array(whole),
  samples: z.array(z.strictObject({ dataSet: whole, path: z.string(), values: z.array(bytes).readonly() })).readonly(),
  evidence: z.array(evidenceRequest),
  /** Time on the clock of the agent's process when that of the coordinator shows 0, in milliseconds. */
  clockOriginMs: z.number(),
})

export type AgentWork = z.output<typeof agentWork>

const stopAfter = z.strictObject({
  operations: z.number().positive().or(z.undefined()).optional(),
  documents: z.number().positive().or(z.undefined()).optional(),
  seconds: z.number().positive().or(z.undefined()).optional(),
  precisionPercent: z.number().positive().or(z.undefined()).optional(),
})

const runRequest: z.ZodType<RunRequest> = z.strictObject({
  pass: z.enum(['warm-up', 'measured', 'cool-down']),
  stopAfter,
  workers: whole,
  startMs: z.number(),
  windowStartMs: z.number(),
  firstRows: z.array(whole),
  goesOn: z.boolean(),
})

/** Request to an agent: those of a load one after the other, and those of parallel loads at the same time. It answers each. */
export const agentRequest = z.discriminatedUnion('kind', [
  // The next piece of a recording.
  z.strictObject({ kind: z.literal('recording'), at: whole, bytes }),
  // Whether it could run that.
  z.strictObject({ kind: z.literal('check'), work: specWork, uriFrom: z.string(), deployment: z.string() }),
  z.strictObject({ kind: z.literal('prepare'), phase: z.string(), work: agentWork }),
  z.strictObject({ kind: z.literal('connect'), phase: z.string(), workers: whole }),
  z.strictObject({ kind: z.literal('run'), phase: z.string(), request: runRequest }),
  z.strictObject({ kind: z.literal('close'), phase: z.string() }),
  z.strictObject({ kind: z.literal('end'), phase: z.string() }),
])

export type AgentRequest = z.output<typeof agentRequest>

const problemCodes = Object.keys(problems) as [ProblemCode, ...ProblemCode[]]

const packedError: z.ZodType<PackedError> = z.strictObject({
  name: z.string(),
  message: z.string(),
  stack: z.string().or(z.undefined()),
  problem: z.strictObject({ code: z.enum(problemCodes), hint: z.string() }).or(z.undefined()),
})

/** Load of the process and the machine of an agent in a pass. */
const load = z.strictObject({ cpuPercent: z.number(), machineCpuPercent: z.number(), rssMB: z.number() })

export const agentAnswer = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('done') }),
  z.strictObject({ kind: z.literal('prepared'), machineSpeed: z.number().nullable() }),
  // Its URI leads to another deployment than that of the work.
  z.strictObject({ kind: z.literal('elsewhere'), deployment: z.string() }),
  z.strictObject({ kind: z.literal('ran'), runs: z.array(unitRun), load }),
  z.strictObject({ kind: z.literal('failed'), error: packedError }),
])

export type AgentAnswer = z.output<typeof agentAnswer>

/** Reply of an agent to a request: parts while it is under way, and its answer. */
export const agentReply = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('part'), part: unitPart }),
  ...agentAnswer.options,
])

export type AgentReply = z.output<typeof agentReply>
export type AgentLoad = z.output<typeof load>

/** Notice that an agent has to act on at once, whatever it is doing, if it works on that phase. */
export const agentNotice = z.strictObject({
  phase: z.string(),
  act: z.enum(['stop', 'stop: precision', 'abandon', 'end']),
})

export type AgentNotice = z.output<typeof agentNotice>

/** Signal on the channel of an agent. "look": its claim or its notice has changed. */
export const agentSignal = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('look') }),
  z.strictObject({ kind: z.literal('ping'), run: z.string().regex(/^[\w-]{1,64}$/), number: whole }),
])

/** Message on the channel of a run. */
export const pong = z.strictObject({
  agent: z.string(),
  number: whole,
  /** Time of the agent's process, and of its wall clock since 1970. */
  processMs: z.number(),
  wallMs: z.number(),
})

/** A text that is printed: whatever would steer a terminal is spelled out. */
const printed = (max: number) => z.string().max(max).transform(printableName)

/** Announcement of an agent about itself. Another version may announce other things: it is refused by name, so it has to be readable. */
export const announcement = z.object({
  id: z.string().regex(/^[\w-]{1,64}$/),
  name: printed(maxNameLength),
  /** Version of mongo-perf; a digest of the language of its specs; version of Node. */
  version: printed(maxNameLength),
  language: z.string().catch(''),
  nodeMajor: whole.catch(0),
  threads: z.int().min(1).max(maxThreads).catch(1),
  /** See `machine-id.ts`. */
  machine: z.string().max(100).catch(''),
  /** The run that it works for. Null: none. */
  run: printed(maxNameLength).nullable().catch(null),
  /** Whether it has ended its load, and waits for no more runs. */
  isStopped: z.boolean().catch(false),
})

export type Announcement = z.output<typeof announcement>

/** The problem of a run of which an agent cannot go on. */
export const agentLost = (name: string, reason: string): Problem =>
  new Problem('agents-unavailable', `The agent ${name} ${reason}`, {
    hint: 'The load of all agents was ended. Finished rows are in the result; --resume runs the others.',
  })
