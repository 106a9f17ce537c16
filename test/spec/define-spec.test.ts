import { expect, test } from 'vitest'
import { defineSpec } from '../../src/spec/define-spec.ts'
import { type Phase, type SpecInput } from '../../src/spec/spec-input.ts'
import { loadSpec } from '../../src/spec/spec-text.ts'

const phase: Phase = {
  name: 'read',
  stopAfter: { operations: 10 },
  operations: [{ kind: 'findOne', filter: { _id: 1 } }],
}

const spec = { name: 'small', data: { collection: 'things' }, phases: [phase] } as const

// Of the types, the directives are the test: the compiler reports one that expects no error.
test.each<readonly [key: string, SpecInput]>([
  // @ts-expect-error There is no such key of a spec.
  ['titel', defineSpec({ ...spec, titel: 'x' })],
  // @ts-expect-error There is no such key of a phase.
  ['warmUp', defineSpec({ ...spec, phases: [{ ...phase, warmUp: { seconds: 1 } }] })],
  [
    'ratePerSecond',
    // @ts-expect-error There is no such key of this load, but of another one.
    defineSpec({ ...spec, phases: [{ ...phase, load: { kind: 'closed', workers: 1, ratePerSecond: 1 } }] }),
  ],
  // @ts-expect-error There is no such key of this operation, but of another one.
  ['limit', defineSpec({ ...spec, phases: [{ ...phase, operations: [{ kind: 'findOne', limit: 1 }] }] })],
  // @ts-expect-error There is no such kind.
  ['kind', defineSpec({ ...spec, target: { kind: 'cluster' } })],
  // @ts-expect-error No such keyword.
  ['@parm', defineSpec({ ...spec, data: { collection: 'things', rows: { '@parm': 'x' } } })],
  // @ts-expect-error A number is wanted.
  ['rows', defineSpec({ ...spec, data: { collection: 'things', rows: '5' } })],
  // @ts-expect-error An expression cannot be the name of a spec.
  ['name', defineSpec({ ...spec, name: { '@param': 'x' } })],
  // @ts-expect-error What has to be given cannot be absent.
  ['name', defineSpec({ ...spec, phases: [{ ...phase, name: null }] })],
  // Which of "operations" and "loads" there is, the compiler does not know.
  ['operations', defineSpec({ ...spec, phases: [{ ...phase, operations: null }] })],
  [
    'at',
    // @ts-expect-error JSON has no dates.
    defineSpec({ ...spec, phases: [{ ...phase, operations: [{ kind: 'find', filter: { at: new Date() } }] }] }),
  ],
])(
  'what the compiler refuses is refused when it is read, too %s',
  async (key, refused) => await expect(loadSpec(refused)).rejects.toThrow(key),
)

test.each<readonly [what: string, SpecInput]>([
  [
    'expressions',
    defineSpec({
      ...spec,
      parameters: { n: 1 },
      phases: [{ ...phase, stopAfter: { operations: { '@param': 'n' } } }],
    }),
  ],
  ['null for what is absent', defineSpec({ ...spec, title: null, phases: [{ ...phase, warmup: null }] })],
  [
    'a condition of an item',
    defineSpec({ ...spec, phases: [phase, { ...phase, name: 'more', when: { '@eq': [1, 2] } }] }),
  ],
  ['lists that cannot be changed', defineSpec(spec)],
])(
  'what the compiler accepts is accepted when it is read, too %s',
  async (_, accepted) => await expect(loadSpec(accepted)).resolves.toMatchObject({ name: 'small' }),
)
