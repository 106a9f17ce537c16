import { type JsonObject } from '../../../core/json.ts'
import { hashText } from '../../../core/random.ts'
import { type BsonDocument, getMember, isDocument, isOperators } from '../../../language/values/bson-types.ts'
import { determineScalarKind, literal } from '../collection/kinds.ts'
import { type ProfiledCall } from './profiled-call.ts'

/** Calls in a row that are of one half. So values that come again at once, as those of one user do, are no sign of hot ones. */
const blockLength = 50
/** Fewer calls show no hot values. */
const minCalls = 4 * blockLength
/** Bounds memory: further values are not counted. */
const maxValues = 20_000
/** How many times as often as by an even draw hot values have to come. */
const minFactor = 2

/**
 * Finds whether calls of one shape ask for few values often. Which are hot is learned from one half of the calls, and how much of the calls goes to them is
 * counted in the other: what comes often in a sample may do so without any reason.
 */
export class HotValues {
  readonly #counts = new Map<number, { learned: number; counted: number }>()
  #calls = 0

  add(call: Compared): void {
    const values = comparedValues(call)
    if (values === '') return
    const isLearned = Math.floor(this.#calls / blockLength) % 2 === 0
    this.#calls += 1
    const key = hashText(values)
    let count = this.#counts.get(key)
    if (count === undefined && this.#counts.size >= maxValues) return
    if (count === undefined) this.#counts.set(key, (count = { learned: 0, counted: 0 }))
    count[isLearned ? 'learned' : 'counted'] += 1
  }

  /**
   * The distribution by which documents are to be picked: the smallest number of values that half of the calls ask for, as a share of the documents. Undefined: all are
   * about as likely, or the calls do not show it.
   * @param documents In the collection.
   */
  distribution(documents: number): JsonObject | undefined {
    if (this.#calls < minCalls || documents < 2) return undefined
    const counts = [...this.#counts.values()].toSorted((a, b) => b.learned - a.learned)
    let left = addUp(counts, 'learned') / 2
    const hot = counts.filter(({ learned }) => {
      // A value that came once may be any.
      const isHot = left > 0 && learned > 1
      left -= learned
      return isHot
    })
    const hits = addUp(hot, 'counted')
    const hotSet = hot.length / documents
    const hotTraffic = hits / (this.#calls - Math.ceil(this.#calls / 2))
    if (hotTraffic < minFactor * hotSet || hits < minHits) return undefined
    const share = Number(Math.min(1, hotTraffic).toFixed(2))
    return { kind: 'hotspot', hotSet: Number(hotSet.toPrecision(2)), hotTraffic: share }
  }
}

/** Fewer may be chance. */
const minHits = 20

const addUp = (counts: readonly { learned: number; counted: number }[], half: 'learned' | 'counted'): number =>
  counts.reduce((sum, of) => sum + of[half], 0)

type Compared = Pick<ProfiledCall, 'filter' | 'pipeline'>

/** The scalars that a call compares for equality. Empty: it does so with none. */
function comparedValues({ filter, pipeline }: Compared): string {
  const match = filter ?? getMember(pipeline?.[0], '$match')
  const compared = isDocument(match) ? Object.entries(match).flatMap(([field, of]) => toScalar(field, of)) : []
  return compared.length === 0 ? '' : JSON.stringify(compared)
}

function toScalar(field: string, condition: unknown): readonly unknown[] {
  const value = isOperators(condition) ? (condition as BsonDocument)['$eq'] : condition
  return field.startsWith('$') || value === undefined || isDocument(value) || Array.isArray(value)
    ? []
    : [field, determineScalarKind(value), literal(value)]
}
