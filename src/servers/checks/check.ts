import { type Collection, type Db } from 'mongodb'
import { z } from 'zod'
import { type Clock } from '../../core/clock.ts'
import { type Json, type JsonObject, type Path } from '../../core/json.ts'
import { kindTitle } from '../../language/value-schema.ts'
import { type CheckKind, type MeasureOf } from '../../results/check-metrics.ts'
import { type Ledger } from './ledger.ts'
import { type Tally } from './tally.ts'

/** Findings of a check of some kind. */
export type Findings<Metric extends string = string> = {
  /** Allowed: something acknowledged was lost, as the write concern lets it be. */
  readonly status: 'held' | 'violated' | 'allowed' | 'not-checked'
  /** Why it could not be checked, or why a loss is none of the server's faults. Null otherwise. */
  readonly reason: string | null
  readonly measures: Readonly<Record<Metric, number>>
  /** The first examples, each a sentence without a final period. */
  readonly evidence: readonly string[]
}

/** Thrown by a check that cannot be made. The message is the reason, without a final period. */
export class Inconclusive extends Error {}

export type OpenCheck<Metric extends string = string> = {
  /** Called before each phase, which waits for it. */
  readonly phaseBegins?: (phase: string) => Promise<void>
  /** Called after each phase, and when a phase has thrown: what goes on during it ends. */
  readonly phaseEnds?: (phase: string) => Promise<void>
  /** Called after the last phase. */
  readonly finish: () => Promise<Findings<Metric>>
}

export type CheckContext = {
  readonly db: Db
  readonly collection: (name: string) => Collection
  readonly clock: Clock
  readonly signal: AbortSignal
  /**
   * Listens to an insert.
   * @param field The field that identifies its documents.
   */
  readonly insert: (insert: NamedInsert, field: string) => ObservedInsert
  /**
   * Listens to what adds documents to a collection or removes some.
   * @param operations Addresses of the operations. Default: all.
   */
  readonly changes: (collection: string, operations: readonly string[] | undefined) => ObservedChanges
  /** A value in which nothing is drawn. */
  readonly fixed: (node: Json) => unknown
}

/** An insert that a check listens to. */
export type NamedInsert = {
  readonly address: string
  /** The collection that it goes to; undefined: any, if the operation inserts into one only. */
  readonly into: string | undefined
}

type Promised = {
  /** Why writes that were acknowledged may be gone, by the write concern that they were sent with. Null: they may not. */
  readonly whyLossIsAllowed: () => Promise<string | null>
}

/** The recorded inserts of an operation, with their collection and phase. */
export type ObservedInsert = Promised & {
  readonly ledger: Ledger
  readonly collection: Collection
  readonly phase: string
}

/** The recorded numbers of documents that calls added to a collection and removed from it. */
export type ObservedChanges = Promised & { readonly tally: Tally }

type At = { readonly path: Path }

/** Names in the spec that a check uses, to be looked up before anything starts. Paths lead there from the check. */
export type CheckNames = {
  readonly collections?: readonly (At & { readonly name: string })[]
  readonly phases?: readonly (At & { readonly name: string })[]
  readonly inserts?: readonly (At & NamedInsert)[]
  /** Calls that add documents to a collection, or take some away; all of them where no addresses are given. */
  readonly counted?: {
    readonly collection: string
    readonly operations: readonly (At & { readonly address: string })[]
  }
  /** Whether documents may not be taken away from the collections that the inserts go to. */
  readonly keepsInserted?: boolean
  /** Values in which nothing may be drawn. */
  readonly values?: readonly (At & { readonly node: Json })[]
  /** Whether it reads snapshots, which a standalone server has not. */
  readonly snapshots?: boolean
}

const name = z
  .string()
  .regex(/^[A-Za-z][\w-]*$/)
  .optional()
  .describe(
    'Name in reports and addresses; it must differ from the names of phases, operations and other checks. Default: the kind.',
  )

/** A field of documents, or one inside of others: "balance", "account.balance". */
export const fieldName = z.string().regex(/^[A-Za-z_][\w]*(\.[A-Za-z_][\w]*)*$/)

/** A check is one file: its fields in the spec, what of the spec it names, and how it looks. */
export type Check<Kind extends CheckKind = CheckKind, Spec extends z.ZodObject = z.ZodObject> = {
  readonly kind: Kind
  readonly summary: string
  readonly spec: Spec
  /** One that a test tries on a spec. */
  readonly example: JsonObject
  readonly names: (check: never) => CheckNames
  readonly open: (check: never, context: CheckContext) => OpenCheck
}

/** Defines a kind of check, and builds its schema from its fields. */
export function defineCheck<const Kind extends CheckKind, Fields extends z.ZodRawShape>(definition: {
  readonly kind: Kind
  readonly summary: string
  readonly fields: Fields
  readonly example: JsonObject
  readonly names: (check: z.output<z.ZodObject<Fields>>) => CheckNames
  readonly open: (check: z.output<z.ZodObject<Fields>>, context: CheckContext) => OpenCheck<MeasureOf<Kind>>
}) {
  const spec = z
    .strictObject({ kind: z.literal(definition.kind), name, ...definition.fields })
    .meta({ title: kindTitle(definition.kind, 'Check') })
    .describe(definition.summary)
  // Safe: `names` and `open` are only called with what `spec` of the same definition has parsed.
  return { ...definition, spec } as Check<Kind, typeof spec>
}
