import { ObjectId, serialize } from 'bson'
import { type PhasePlan, type PlannedCall } from '../../plan/plan.ts'
import { type Bson } from './replies.ts'

/** Makes the values of a call ones of another BSON library: each refuses the types of another major version. */
export type Translate = <Value>(value: Value) => Value

/** The major version that every type of a BSON library carries, and that its serializer asks for. */
const majorKey = Symbol.for('@@mdb.bson.version')

/** The major version of the BSON library that an `ObjectId` class belongs to. */
export const bsonMajor = (objectId: { readonly prototype: object }): unknown =>
  Reflect.get(objectId.prototype, majorKey)

/** The major version of our own BSON library. */
export const ourBsonMajor = bsonMajor(ObjectId)

const exactly = { promoteValues: false, promoteBuffers: false, bsonRegExp: true }

/** What needs no translation stays the same object. */
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

/** The same phase, whose calls carry translated values. They are translated before they are timed. */
export const translatePhase = (phase: PhasePlan, translate: Translate): PhasePlan => ({
  ...phase,
  streams: phase.streams.map((stream) => ({
    ...stream,
    pipeline: translate(stream.pipeline),
    options: translate(stream.options),
  })),
  calls(pass, budget, share) {
    const source = phase.calls(pass, budget, share)
    return { ...source, next: () => translateCall(source.next(), translate) }
  },
  firstCalls: (operation, count) => phase.firstCalls(operation, count).map((call) => translateCall(call, translate)),
})

function translateCall(call: PlannedCall, translate: Translate): PlannedCall {
  const steps = call.steps?.map((prepare): typeof prepare => (replies) => {
    const given = prepare(replies)
    return given && { ...given, args: translate(given.args) }
  })
  return { ...call, args: translate(call.args), steps }
}
