import { describe, expect, test } from 'vitest'
import { type JsonObject } from '../../../src/core/json.ts'
import { type PlannedCall } from '../../../src/load/plan/plan.ts'
import { plansOf } from '../../fakes/a-plan.ts'
import { aPhase, oneRow, problemsOf } from '../../fakes/a-spec.ts'
import { fail } from '../../fakes/fail.ts'

const workers = 4

const callsOf = (operations: readonly JsonObject[], count: number): readonly PlannedCall[] => {
  const phase = aPhase({ name: 'mix', load: { kind: 'closed', workers }, stopAfter: { operations: count }, operations })
  const [plan = fail('no phase')] = plansOf(oneRow({ seed: 3, phases: [phase] })).plans
  return Array.from({ length: count }, plan.calls('measured').next)
}

const insert = {
  kind: 'insertOne',
  let: { id: { '@nextRow': {} } },
  remember: ['id'],
  document: { _id: { '@var': 'id' } },
}
const read = { kind: 'findOne', filter: { _id: { '@remembered': { name: 'id', otherwise: -1 } } } }

const idOf = ({ args }: PlannedCall): unknown =>
  ((args.document ?? args.filter) as Readonly<Record<string, unknown>>)['_id']

const nextOf = ({ args }: PlannedCall): unknown =>
  (args.update as { readonly $set: { readonly next: unknown } }).$set.next

const refused = (operations: readonly JsonObject[], data?: JsonObject) =>
  problemsOf({ ...(data && { data }), phases: [aPhase({ name: 'mix', operations, stopAfter: { operations: 1 } })] })

test('a worker reads what it remembered last, and another worker does not', () => {
  const calls = callsOf([insert, read], 200)
  const last = new Map<number, unknown>()
  const found: [number, unknown][] = []
  for (const [n, call] of calls.entries()) {
    if (call.operation === 1) found.push([n, idOf(call)], [n, last.get(n % workers) ?? -1])
    else last.set(n % workers, idOf(call))
  }
  expect(found.filter((_, i) => i % 2 === 0)).toEqual(found.filter((_, i) => i % 2 === 1))
  expect(last.size).toBe(workers)
})

test('an operation reads what the call before it remembered, and then remembers anew', () => {
  const chain = {
    kind: 'updateOne',
    let: { next: { '@int': { max: 1_000_000 } } },
    remember: ['next'],
    filter: { _id: { '@remembered': { name: 'next' } } },
    update: { $set: { next: { '@var': 'next' } } },
  }
  const calls = callsOf([chain], 40)
  for (const [n, call] of calls.entries())
    expect(idOf(call)).toBe(n < workers ? null : nextOf(calls[n - workers] ?? fail('no call')))
})

test('operations of several steps remember and read, too', () => {
  const steps = {
    kind: 'steps',
    let: { id: { '@nextRow': {} } },
    remember: ['id'],
    steps: [
      { kind: 'findOne', filter: { _id: { '@remembered': { name: 'id', otherwise: -1 } } } },
      { kind: 'insertOne', document: { _id: { '@var': 'id' } } },
    ],
  }
  const made = callsOf([steps], 12).map(({ steps: built = [] }) =>
    built.map((step) => Object.values((step([])?.args.filter ?? step([])?.args.document) as object)[0] as unknown),
  )
  for (const [n, [found]] of made.entries()) expect(found).toBe(n < workers ? -1 : made[n - workers]?.[1])
})

describe('what is not remembered is refused', () => {
  test('a name that no operation remembers', () => {
    const misspelt = { kind: 'findOne', filter: { _id: { '@remembered': { name: 'ids' } } } }
    expect(refused([insert, misspelt])).toSay('remembered-name-unknown')
    expect(refused([{ kind: 'findOne', filter: { _id: { '@remembered': { name: 'id' } } } }])).toSay(
      'remembered-nowhere',
    )
  })

  test('a value that "let" does not make', () => {
    expect(refused([{ ...insert, remember: ['key'] }])).toSay('remember-without-let')
    expect(refused([{ kind: 'insertOne', remember: ['key'] }])).toSay('remember-without-any-let')
  })

  test('in the documents of data sets', () => {
    const data = { collection: 'docs', rows: 1, document: { _id: { '@remembered': { name: 'id' } } } }
    expect(refused([insert], data)).toSay('remembered-in-row')
  })
})
