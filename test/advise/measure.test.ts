import { expect, test } from 'vitest'
import { chooseRecorded, nameSides } from '../../src/advise/measure.ts'
import { createGrouping } from '../../src/sources/init/profile/call-groups.ts'

const group = (commands: readonly object[]) => {
  const grouping = createGrouping('shop')
  for (const command of commands) grouping.add({ ns: 'shop.orders', op: 'command', command: { ...command } })
  return grouping.result().groups[0] ?? expect.fail('There is one')
}

test('reads ask for what was recorded: one of the filters, or one of the pipelines', () => {
  const finds = [1, 2].map((customer) => ({ find: 'orders', filter: { customer } }))
  expect(chooseRecorded(group(finds))).toEqual({
    filter: { '@choice': { values: [{ customer: 1 }, { customer: 2 }] } },
  })
  const pipelines = [new Date(0), new Date(5)].map((at) => [{ $match: { at } }, { $limit: 3 }])
  expect(chooseRecorded(group(pipelines.map((pipeline) => ({ aggregate: 'orders', pipeline }))))).toEqual({
    pipeline: {
      '@choice': {
        values: ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.005Z'].map(($date) => [
          { $match: { at: { $date } } },
          { $limit: 3 },
        ]),
      },
    },
  })
  expect(chooseRecorded(group([{ count: 'orders' }]))).toEqual({})
})

test('limits name the sides of an advice', () => {
  expect(nameSides('Operations failed: 3 in A, 4 in B. They count neither.')).toBe(
    'Operations failed: 3 (today), 4 (with the advice). They count neither.',
  )
  expect(nameSides('mix: other processes took 30 % (B). The verdicts hold, because A and B took turns.')).toBe(
    'mix: other processes took 30 % (with the advice). The verdicts hold, because both took turns.',
  )
  expect(nameSides('A has 5 finished rounds and B has 4: only rounds that both finished are compared.')).toBe(
    'Today has 5 finished rounds and the advice has 4: only rounds that both finished are compared.',
  )
})
