import { expect, test } from 'vitest'
import { findInsert } from '../../../src/spec/plan/observed-operations.ts'
import { oneRow } from '../../fakes/a-spec.ts'

test('an insert is sent with the write concern of its phase, or of its transaction', () => {
  const insert = { kind: 'insertOne' }
  const operations = [
    { ...insert, name: 'alone' },
    { kind: 'steps', name: 'steps', steps: [insert] },
  ]
  const whole = { kind: 'transaction', name: 'whole', steps: [insert] }
  const blind = { ...whole, name: 'blind', writeConcern: { w: 2 } }
  const { spec } = oneRow({
    target: { kind: 'replicaSet', members: 3 },
    phases: [
      {
        name: 'insert',
        stopAfter: { operations: 1 },
        writeConcern: { w: 1 },
        operations: [...operations, whole, blind],
      },
    ],
  })
  const concernOf = (address: string) => findInsert({ address, into: undefined }, spec)
  expect(concernOf('alone')).toMatchObject({ writeConcern: { w: 1 } })
  expect(concernOf('steps')).toMatchObject({ writeConcern: { w: 1 } })
  expect(concernOf('whole')).toMatchObject({ writeConcern: { w: 'majority' } })
  expect(concernOf('blind')).toMatchObject({ writeConcern: { w: 2 } })
})
