import { z } from 'zod'
import { kindTitle } from '../../language/value-schema.ts'
import { type AchievedLinks } from '../../results/schema/servers.ts'
import { type CoreDivision, type CoreNeeds } from './cores/divide-cores.ts'
import { type Conditions } from './links/conditions.ts'
import { type ServerLimits } from './server/limits/server-limits.ts'
import { type Resources } from './server/preflight.ts'
import { type ServerControl } from './server/process/server-life.ts'
import { type ProcessContext } from './server/process/server-process.ts'
import { type FoundBinary, type WantedBinary } from './server/programs/find-program.ts'
import { type ResolvedServerOptions } from './server/server-options.ts'
import { type LentTarget } from './start/lent-target.ts'

/** One process of a target that holds data. */
export type Member = {
  /** "member0", in the order of the spec or of the set's configuration; of a shard "shard0/member0". */
  readonly name: string
  /** "127.0.0.1:27017". Shown for servers of our own, never for others. */
  readonly host: string
  /** Its address in the configuration of its set: the address of the proxy, if there is one in front of it. Default: `host`. */
  readonly hostInSet?: string
  /** Limits of the server. Null: as much as there is, or not ours to know. */
  readonly limits: ServerLimits | null
  /** Whether its data files go around the page cache, by our doing. */
  readonly directIO: boolean
  /** Whether we say how often it looks at itself. Default: no, because it is not ours or the spec does. */
  readonly setsLooks?: boolean
  /** Only those beside the members have one that is known. */
  readonly role?: undefined
}

/** A server of a cluster that holds none of its data. */
export type BesideMembers = Pick<Member, 'name' | 'host' | 'setsLooks'> & { readonly role: 'router' | 'config' }

/** Delays between the members of a target, and between them and its clients. */
export type TargetLinks = {
  readonly achieved: AchievedLinks & { readonly ownCostMs: number }
  /** Conditions that were imposed on purpose. */
  readonly conditions: Conditions
}

/**
 * A server that is ready for use: a primary exists, and every member is healthy that was not stopped on purpose. Disposing
 * stops and removes what we started.
 */
export type RunningTarget = AsyncDisposable & {
  readonly kind: string
  /** A secret. Never printed, logged or stored; see `redact.ts`. */
  readonly uri: string
  /** For a connection to one of them see `memberUri`. */
  readonly members: readonly Member[]
  /** Routers and config servers of a cluster of ours: sampled beside its members. Default: none. */
  readonly besides?: readonly BesideMembers[]
  /** Names of the members that were stopped on purpose, and are not among `members`. Default: none. */
  readonly stopped?: readonly string[]
  /** Every command that started and configured it, ready to be repeated by hand. */
  readonly commands: readonly string[]
  readonly startedByUs: boolean
  /** Aborts when one of its servers has ended that nothing was to end; its reason is a `Problem`. Absent: they are not ours. */
  readonly lost?: AbortSignal
  /** Absent: client and servers share the cores of their machine on purpose, or it is not ours. */
  readonly cores?: CoreDivision
  /** Absent: nothing stands between its members. */
  readonly links?: TargetLinks
  /** Every mongod of ours that was not stopped on purpose, arbiters and config servers too, for faults. Absent: they are not ours. */
  readonly processes?: readonly ServerControl[]
  /**
   * Holds its servers to other limits while they run, each in the order in which they were asked for. Absent: they are not ours.
   * @returns the same servers as if they had been started so. Either one's disposing stops them.
   */
  readonly changeLimits?: (limits: readonly (ServerLimits | null)[]) => Promise<RunningTarget>
}

/** Needs of the faults of a row that its target has to provide, beyond those of the spec. */
export type TargetNeeds = {
  /** Proxies in front of its members, which cut and delay links. */
  readonly proxies: boolean
  /** Servers that take test commands, with `enableTestCommands`. */
  readonly testCommands: boolean
}

/** Environment in which a target starts: binaries, URIs, permissions and the process context. */
export type StartContext = ProcessContext & {
  /** Finds (or fetches) the `mongod` to start; asked only when a server has to be started. */
  readonly mongod: (wanted: WantedBinary) => Promise<FoundBinary>
  /** Finds the `mongos` to start; asked only for sharded clusters. */
  readonly mongos: (wanted: WantedBinary) => Promise<FoundBinary>
  /** The URI of an existing target: from the command line, or from the variable that the spec names. */
  readonly uri: (variable: string) => string | undefined
  /** How messages name URIs that their variables do not hold, by these: "--uri". Default: all are named by their variables. */
  readonly givenAs?: Readonly<Record<string, string>> | undefined
  /** Whether an existing target may be on another machine. */
  readonly allowRemote: boolean
  /** Whether servers that we start run JavaScript that they are sent. Default false. */
  readonly scripting?: boolean
  /** Default: nothing. */
  readonly needs?: TargetNeeds
  /** Used instead of what would be started. Default: nothing is lent. */
  readonly lent?: LentTarget | undefined
  /** Needs of all rows of the run, so that all of them get the same cores. Default: one thread, and the limits of the target. */
  readonly coreNeeds?: CoreNeeds
  /** Seed of the spec, for random values outside of documents. Default 42. */
  readonly seed?: number
  /** Resources that this machine has left for servers of ours. */
  readonly resources: Resources
  /** The user's home folder, which gets into no recorded command. */
  readonly home: string
  readonly log: (message: string) => void
}

/** A target is one file: its fields in the spec, and how to start it. */
export function defineTarget<Kind extends string, Fields extends z.ZodRawShape>(definition: {
  readonly kind: Kind
  readonly summary: string
  readonly spec: z.ZodObject<Fields, z.core.$strict>
  /** The servers that it starts, one by one. */
  readonly servers: (spec: z.output<z.ZodObject<Fields, z.core.$strict>>) => readonly ResolvedServerOptions[]
  readonly start: (spec: z.output<z.ZodObject<Fields, z.core.$strict>>, context: StartContext) => Promise<RunningTarget>
}): typeof definition {
  const spec = definition.spec.meta({ title: kindTitle(definition.kind, 'Target') }).describe(definition.summary)
  return { ...definition, spec }
}

/** The one fact that columns compute with: $ per hour of the whole deployment, all members and disks. */
export const priceFact = 'pricePerHour'

/** The spec field for facts about a server that the server cannot report itself, such as its price in $ per hour. */
export const facts = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
  .superRefine(({ [priceFact]: price }, context) => {
    if (price === undefined || price === null || (typeof price === 'number' && price > 0)) return
    const message = 'must be a number above 0: $ per hour (leave it out where nothing is known)'
    context.addIssue({ code: 'custom', path: [priceFact], message })
  })
  .default({})
  .describe(
    'What the server cannot report about itself (instance type, disk, IOPS), for columns of the report. Names are free; `pricePerHour` alone has a meaning: $ per hour of the whole deployment, from which columns per $ are computed.',
  )
