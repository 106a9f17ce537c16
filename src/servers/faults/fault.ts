import { type Document } from 'bson'
import { z } from 'zod'
import { type JsonObject, type Path } from '../../core/json.ts'
import { kindTitle } from '../../language/value-schema.ts'
import { type ServerControl } from '../targets/server/process/server-life.ts'
import { type TargetLinks, type TargetNeeds } from '../targets/target.ts'
import { type ServerSelectors } from './choose-servers.ts'

/** A server of the target, as faults have it. */
export type FaultyServer = {
  /** "member0", "shard0/member1" */
  readonly name: string
  /** Sends one admin command straight to it, past every proxy, and hangs up. */
  readonly command: (command: Document) => Promise<Document>
  /** Undefined: it is not ours. */
  readonly control: ServerControl | undefined
}

/** Environment of a fault, at the moment at which it happens. */
export type FaultContext = {
  /**
   * The servers that words stand for now; "client" stands for none. They are noted in the result.
   * @throws when there is none, after a few seconds in which one might come.
   */
  readonly find: (selectors: ServerSelectors) => Promise<readonly FaultyServer[]>
  /** To be called before anything is done that has to be undone. What was done last is undone first. */
  readonly onUndo: (undo: () => Promise<void>) => void
  readonly links: TargetLinks | undefined
  /** Aborts when the phase is over: what may be cut short should be. */
  readonly over: AbortSignal
}

/** Words for servers in a fault, and their places in it. */
export type SelectorAtPath = { readonly path: Path; readonly selector: string }

export type Report = (path: Path, reason: string) => void

export type TargetKind = 'existing' | 'standalone' | 'replicaSet' | 'sharded'

const atSeconds = z
  .number()
  .min(0)
  .max(7 * 24 * 3600)
const seconds = z
  .number()
  .positive()
  .max(7 * 24 * 3600)

/** The spec field for the name of a fault. */
export const faultName = z
  .string()
  .regex(/^[A-Za-z][\w-]*$/)
  .optional()
  .describe(
    'Name in tables and addresses; it must differ from the names of phases, operations and other faults. Default: the kind.',
  )

/** Times of a fault that has nothing to undo. */
export const momentary = {
  atSeconds: atSeconds.describe('When it happens the first time, in seconds since the first measured operation.'),
  everySeconds: seconds
    .optional()
    .describe('For a fault that repeats: seconds from one start to the next. Default: it happens once.'),
  times: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe('Maximum number of times, if it repeats. Default: until the phase ends.'),
}

/** Times of a fault that is undone again. */
export const lasting = {
  ...momentary,
  forSeconds: seconds
    .optional()
    .describe('How long it lasts until it is undone, in seconds. Default: until the phase ends.'),
}

/** Times when a fault begins, and how often. */
export type Beginnings = {
  readonly atSeconds: number
  readonly everySeconds?: number | undefined
  readonly times?: number | undefined
}

/** How long a fault lasts that is undone. */
export type Lasting = { readonly forSeconds?: number | undefined }

/** A fault is one file: its words in a spec, how it is done, and with every step how it is undone. */
export type Fault<
  Kind extends string = string,
  Spec extends z.ZodObject = z.ZodObject,
  Drawn extends z.ZodObject = z.ZodObject,
> = {
  readonly kind: Kind
  readonly summary: string
  /** Example as a spec has it, without its kind. */
  readonly example: JsonObject
  readonly spec: Spec
  /** Without its time: what a random fault draws from. */
  readonly drawn: Drawn
  readonly lasts: boolean
  readonly takenBy: readonly TargetKind[]
  readonly needs: readonly (keyof TargetNeeds)[]
  readonly selectors: (spec: never) => readonly SelectorAtPath[]
  readonly check: (spec: never, path: Path, report: Report) => void
  readonly begin: (spec: never, context: FaultContext) => Promise<void>
}

/** A drawn or planned fault, where its own fields are not needed. */
export type AnyFault = { readonly kind: string }

/** Defines a kind of fault, and builds its schema from its fields and timing. */
export function defineFault<
  const Kind extends string,
  When extends z.ZodRawShape,
  Fields extends z.ZodRawShape,
>(definition: {
  readonly kind: Kind
  readonly summary: string
  /** `lasting` or `momentary`. */
  readonly timing: When
  readonly fields: Fields
  /** For the reference: as a spec has it, without its kind. */
  readonly example: JsonObject
  readonly takenBy: readonly TargetKind[]
  /** Needs of the fault that its target has to provide. Default: none. */
  readonly needs?: readonly (keyof TargetNeeds)[]
  /** The words for servers in it. */
  readonly selectors: (spec: z.output<z.ZodObject<Fields>>) => readonly SelectorAtPath[]
  /** Reports mistakes in the fault by itself. Default: none are possible. */
  readonly check?: (spec: z.output<z.ZodObject<Fields>>, path: Path, report: Report) => void
  readonly begin: (spec: z.output<z.ZodObject<Fields>>, context: FaultContext) => Promise<void>
}) {
  const { kind, summary, timing, fields } = definition
  const spec = z
    .strictObject({ kind: z.literal(kind), name: faultName, ...timing, ...fields })
    .meta({ title: kindTitle(kind, 'Fault') })
    .describe(summary)
  const drawn = z
    .strictObject({ kind: z.literal(kind), ...fields })
    .meta({ title: `Drawn${kindTitle(kind, 'Fault')}` })
    .describe(`"${kind}" without times.`)
  // Safe: what takes a spec is only called with what `spec` or `drawn` of the same definition has parsed.
  const fault = {
    ...definition,
    spec,
    drawn,
    lasts: 'forSeconds' in timing,
    needs: definition.needs ?? [],
    check: definition.check ?? (() => {}),
  }
  return fault as unknown as Fault<Kind, typeof spec, typeof drawn>
}

/** Whoever started a server may do anything to it. */
export const startedTargetKinds: readonly TargetKind[] = ['standalone', 'replicaSet', 'sharded']

/** @throws where it does not run: what another fault has ended is that one's to bring back. */
export function getRunningControl({ name, control }: FaultyServer): ServerControl {
  if (control === undefined) throw new Error(`${name} is not ours to stop`)
  if (!control.isRunning()) throw new Error(`${name} was not running`)
  return control
}

/** All at once, to their ends; then the first failure is thrown. */
export async function forEachServer(
  servers: readonly FaultyServer[],
  act: (server: FaultyServer) => Promise<void>,
): Promise<void> {
  const ends = await Promise.allSettled(servers.map(act))
  const failure = ends.find((end) => end.status === 'rejected')
  if (failure) throw failure.reason
}
