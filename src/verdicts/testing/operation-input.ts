import {
  type ChangeStreamOperation,
  type FunctionOperation,
  type Operation,
  type StepsOperation,
  type TransactionOperation,
  type Value,
} from '../../spec/spec-input.ts'

type NotOneCall = StepsOperation | TransactionOperation | ChangeStreamOperation | FunctionOperation

/** Where a file has values of JSON, a program may also have those of its driver: dates, ObjectIds and other types of BSON. */
type OfProgram<Kind> = {
  readonly [Key in keyof Kind]: Value extends Kind[Key]
    ? unknown
    : readonly Value[] extends Kind[Key]
      ? unknown
      : Kind[Key]
}

/** An operation of one call, as it may be written in the `operations` of a phase. */
export type OperationInput = OfProgram<Exclude<Operation, NotOneCall>>
