import { describe, expect, test } from 'vitest'
import { type JsonObject } from '../../../src/core/json.ts'
import { emptyReply } from '../../../src/load/engines/engine.ts'
import { sumOfDigests } from '../../../src/load/plan/digest.ts'
import { type PlannedCall } from '../../../src/load/plan/plan.ts'
import { computeSharePart, createShares } from '../../../src/load/plan/share.ts'
import { aPlan, plansOf } from '../../fakes/a-plan.ts'
import { aPhase, oneRow } from '../../fakes/a-spec.ts'
import { fail } from '../../fakes/fail.ts'

/** Takes all calls of a phase, each of its units in its turn. */
function takeAll(phase: JsonObject, units: number) {
  const row = oneRow({ seed: 42, phases: [phase] })
  const sources = createShares(units).map((share) => {
    const { plans, dataSets } = plansOf(row)
    const [plan = fail('no phase')] = plans
    return { source: plan.calls('measured', plan.stopAfter, share), dataSets }
  })
  const calls: PlannedCall[] = []
  for (let turn = 0; sources.some(({ source }) => source.endedBecause() === undefined); turn++) {
    // Not simply in turn: one takes two, another none.
    const { source } = sources[(turn * 7 + (turn % 3)) % units] ?? fail('no such unit')
    if (source.endedBecause() === undefined) calls.push(source.next())
  }
  return {
    calls: calls.map(({ operation, args, steps = [] }) =>
      JSON.stringify([operation, args, steps.map((step) => step(noReplies)?.args)], (_, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      ),
    ),
    documents: calls.reduce((sum, { documents }) => sum + documents, 0),
    numbers: calls.map(({ number }) => number).toSorted((one, other) => one - other),
    digest: sumOfDigests(sources.map(({ source }) => source.digest())),
    nextRow: Math.max(...sources.map(({ dataSets }) => dataSets[0]?.numbers.next() ?? 0)),
    endedBecause: sources[0]?.source.endedBecause(),
  }
}

const noReplies = [emptyReply, emptyReply, emptyReply]

const mix = aPhase({
  name: 'mix',
  stopAfter: { operations: 300 },
  operations: [
    { kind: 'findOne', weight: 3, filter: { _id: { '@key': { distribution: 'zipfian' } } } },
    { kind: 'insertMany', documentsPerCall: 7 },
    { kind: 'insertOne', document: { _id: { '@nextRow': {} } } },
    { kind: 'updateOne', filter: { _id: { '@key': { distribution: 'sequential' } } }, update: { $set: { n: 1 } } },
    { kind: 'deleteOne', filter: { _id: { '@key': { distribution: 'reverse' } } } },
    {
      kind: 'bulkWrite',
      operations: [{ insertOne: {} }, { updateOne: { filter: { _id: { '@key': {} } }, update: { $set: { n: 2 } } } }],
    },
  ],
})

const steps = aPhase({
  name: 'several',
  stopAfter: { operations: 200 },
  operations: [
    { kind: 'insertOne' },
    {
      kind: 'steps',
      weight: 3,
      let: { row: { '@choice': { values: [{ '@nextRow': {} }, { '@pickRow': { distribution: 'hotspot' } }] } } },
      steps: [
        { kind: 'findOne', filter: { _id: { '@var': 'row' } } },
        { kind: 'insertOne', name: 'second', document: { row: { '@var': 'row' } } },
      ],
    },
  ],
})

const remembering = aPhase({
  name: 'remembering',
  load: { kind: 'closed', workers: 7 },
  stopAfter: { operations: 200 },
  operations: [
    { kind: 'insertOne', let: { id: { '@nextRow': {} } }, remember: ['id'], document: { _id: { '@var': 'id' } } },
    { kind: 'findOne', weight: 3, filter: { _id: { '@remembered': { name: 'id', otherwise: { '@key': {} } } } } },
  ],
})

const late = aPhase({
  name: 'late',
  stopAfter: { operations: 120 },
  operations: [
    {
      kind: 'steps',
      steps: [
        { kind: 'findOne', filter: { _id: { '@key': { distribution: 'uniform' } } } },
        { kind: 'insertOne', document: { _id: { '@nextRow': {} }, of: { '@var': 'findOne.documents' } } },
      ],
    },
  ],
})

describe('units that share a pass', () => {
  test.each([2, 3, 4, 5])('%i of them take the same calls as one, with the same digest and rows', (units) => {
    for (const phase of [mix, steps, remembering]) {
      const alone = takeAll(phase, 1)
      const together = takeAll(phase, units)
      expect(together.calls.toSorted()).toEqual(alone.calls.toSorted())
      expect(together.numbers).toEqual(alone.numbers)
      expect(together.digest).toBe(alone.digest)
      expect(together.nextRow).toBe(alone.nextRow)
      expect(together.endedBecause).toBe('operations')
    }
    expect(takeAll(mix, units).calls).toHaveLength(300)
  })

  test('make the calls whose numbers are theirs', () => {
    const source = aPlan({ seed: 42, phases: [mix] }).calls('measured', {}, { index: 1, of: 4 })
    expect(Array.from({ length: 4 }, () => source.next().number)).toEqual([1, 5, 9, 13])
  })

  test.each([
    [1000, 7],
    [1000, 1000],
    [10, 64],
  ])('ask for exactly %i documents, %i per call', (documents, documentsPerCall) => {
    const { calls, nextRow, endedBecause } = takeAll(
      aPhase({ stopAfter: { documents }, operations: [{ kind: 'insertMany', documentsPerCall }] }),
      3,
    )
    expect(calls).toHaveLength(Math.ceil(documents / documentsPerCall))
    expect(nextRow).toBe(10 + documents)
    expect(endedBecause).toBe('documents')
  })

  test('take no row twice where rows are taken when replies are there, and have the digest of one', () => {
    const together = takeAll(late, 3)
    const rows = together.calls.map(
      (text) => (JSON.parse(text) as [0, object, [object, { document: Record<'_id', number> }]])[2][1].document['_id'],
    )
    expect(new Set(rows).size).toBe(120)
    expect(Math.min(...rows)).toBe(10)
    expect(together.nextRow).toBe(130)
    expect(together.digest).toBe(takeAll(late, 1).digest)
  })

  test('number the calls of each operation apart where shares of time choose', () => {
    const { calls } = takeAll(
      aPhase({
        stopAfter: { operations: 40 },
        operations: [{ kind: 'insertOne', document: { drawn: { '@uuid': {} } }, share: 1 }],
      }),
      3,
    )
    expect(new Set(calls).size).toBe(40)
  })

  test('share a budget of documents where shares of time choose', () => {
    const operations = [
      { kind: 'insertMany', documentsPerCall: 3, share: 1 },
      { kind: 'findOne', filter: {}, share: 1 },
    ]
    const { documents, endedBecause } = takeAll(
      aPhase({ stopAfter: { documents: 50, operations: 1000 }, operations }),
      3,
    )
    expect(endedBecause).toBe('documents')
    expect(documents).toBe(50)
  })
})

test.each([
  [48, 2, [24, 24]],
  [7, 3, [3, 2, 2]],
  [0, 2, [0, 0]],
])('%i of something is spread evenly over %i units', (count, units, parts) =>
  expect(createShares(units).map((share) => computeSharePart(count, share))).toEqual(parts),
)
