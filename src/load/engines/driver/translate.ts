import { ObjectId, serialize } from 'bson'
import { type OperationPlan, type PhasePlan, type PlannedCall, type StreamPlan } from '../../plan/plan.ts'
import { type EngineMethod, type StepCall, callsFunctions } from '../engine.ts'
import { type LoadDriver } from './load-driver.ts'
import { type Bson } from './replies.ts'

/** Makes the values of a call ones of another BSON library: each refuses the types of another major version. */
export type Translate = <Value>(value: Value) => Value

/** The major version that every type of a BSON library carries, and that its serializer asks for. */
const majorKey = Symbol.for('@@mdb.bson.version')

/** The major version of the BSON library that an `ObjectId` class belongs to. */
export const bsonMajor = (objectId: { readonly prototype: object }): unknown =>
  Reflect.get(objectId.prototype, majorKey)

/** The major version of our own BSON library. */
export const bundledBsonMajor = bsonMajor(ObjectId)

const exactly = { promoteValues: false, promoteBuffers: false, bsonRegExp: true }

/** Returns the same object where nothing needs translation. */
export function createTranslate({ deserialize }: Pick<Bson, 'deserialize'>): Translate {
  const ofOneValue = (value: object): unknown =>
    Reflect.get(deserialize(serialize({ value }), exactly) as object, 'value')

  function translate(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    if ('_bsontype' in value) return ofOneValue(value)
    if (Array.isArray(value)) {
      const items: unknown[] = value.map(translate)
      return items.some((item, i) => item !== value[i]) ? items : value
    }
    if (Object.getPrototypeOf(value) !== Object.prototype) return value
    const entries = Object.entries(value)
    const items = entries.map(([, item]) => translate(item))
    return items.some((item, i) => item !== entries[i]?.[1])
      ? Object.fromEntries(entries.map(([key], i) => [key, items[i]]))
      : value
  }
  return (value) => translate(value) as typeof value
}

/**
 * The same phase, whose calls carry translated values. They are translated before they are timed.
 * @param isMeant Whether the calls of a method are. Default: those of all methods, and change streams.
 */
export function translatePhase(phase: PhasePlan, translate: Translate, isMeant?: IsMeant): PhasePlan {
  const translators = phase.operations.map((operation) =>
    createTranslator(operation, translate, isMeant ?? (() => true)),
  )
  const translated = (call: PlannedCall, operation = call.operation): PlannedCall =>
    translators[operation]?.(call) ?? call
  return {
    ...phase,
    streams: isMeant === undefined ? phase.streams.map((stream) => translateStream(stream, translate)) : phase.streams,
    calls(pass, budget, share) {
      const source = phase.calls(pass, budget, share)
      return { ...source, next: () => translated(source.next()) }
    },
    // The calls of one operation alone number it 0.
    firstCalls: (operation, ...which) =>
      phase.firstCalls(operation, ...which).map((call) => translated(call, operation)),
  }
}

type IsMeant = (method: EngineMethod) => boolean

const translateStream = (stream: StreamPlan, translate: Translate): StreamPlan => ({
  ...stream,
  pipeline: translate(stream.pipeline),
  options: translate(stream.options),
})

type TranslateCall = (call: PlannedCall) => PlannedCall

function createTranslator(operation: OperationPlan, translate: Translate, isMeant: IsMeant): TranslateCall {
  if (!('steps' in operation)) return (call) => (isMeant(operation) ? { ...call, args: translate(call.args) } : call)
  const meant = operation.steps.map(isMeant)
  return (call) => ({
    ...call,
    steps: call.steps?.map((prepare, step) => (meant[step] ? translateStep(prepare, translate) : prepare)),
  })
}

const translateStep =
  (prepare: StepCall, translate: Translate): StepCall =>
  (replies) => {
    const given = prepare(replies)
    return given && { ...given, args: translate(given.args) }
  }

/**
 * The phase with values that the driver takes. Functions always get values of its own BSON: a driver takes those of another copy of the same
 * major version, but `instanceof` does not.
 */
export function phaseForDriver(phase: PhasePlan, { module, translate }: LoadDriver): PhasePlan {
  if (translate) return translatePhase(phase, translate)
  if (!callsFunctions(phase.operations)) return phase
  return translatePhase(phase, createTranslate(module.BSON), ({ kind }) => kind === 'function')
}
