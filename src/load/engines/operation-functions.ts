import { type Collection, type Db, type MongoClient } from 'mongodb'

/** Driver objects that a function of an operation works with: those of the driver that makes the calls of the run. */
export type FunctionOn = {
  readonly client: MongoClient
  /** The database of the collection, by default that of the run. It has the concerns and the read preference of the phase. */
  readonly db: Db
  /** The collection that the operation names, by default the only one of the spec. Undefined: it has none, or several. */
  readonly collection: Collection | undefined
}

/** The values of `with` by their names, drawn for one call, with the types that a driver reads by default. */
export type FunctionValues = Readonly<Record<string, unknown>>

/**
 * A function that operations of the kind `function` call. It is timed from its call until what it returns has resolved; one that throws or
 * rejects is a failed operation with that error. What it resolves to is not looked at.
 *
 * It has the type of a method, so that functions may declare the values that they are given by their names.
 */
export type OperationFunction<On = FunctionOn> = { call(on: On, given: FunctionValues): unknown }['call']

/** Functions by the names that operations call them by, whatever driver their types are of. */
export type OperationFunctions = Readonly<Record<string, OperationFunction<never>>>
