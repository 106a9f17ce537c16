import { expect, test } from 'vitest'
import { computeComposites } from '../../src/micro/results.ts'
import { averages } from '../../src/micro/task.ts'
import { microTasks } from '../../src/micro/tasks.ts'

/** Every task scored by its place in the list, from 1. */
const scores = new Map(microTasks.map(({ name }, index) => [name, index + 1]))

test('each composite is the plain average of its tasks, and DriverBench that of reads and writes', () => {
  const found = computeComposites(scores, microTasks).map((composite) => [
    composite.name,
    composite.status === 'scored' ? composite.megabytesPerSecond : null,
  ])
  expect(Object.fromEntries(found)).toEqual({
    BSONBench: (1 + 2 + 3 + 4 + 5 + 6) / 6,
    // Without "Run command", the seventh.
    SingleBench: (8 + 9 + 10) / 3,
    MultiBench: (11 + 12 + 13 + 14 + 15 + 16 + 17 + 18 + 19 + 20 + 21) / 11,
    ParallelBench: (22 + 23 + 24 + 25) / 4,
    ReadBench: (8 + 11 + 21 + 23 + 25) / 5,
    WriteBench: (9 + 10 + 12 + 13 + 14 + 15 + 16 + 17 + 18 + 19 + 20 + 22 + 24) / 13,
    DriverBench:
      ((8 + 11 + 21 + 23 + 25) / 5 + (9 + 10 + 12 + 13 + 14 + 15 + 16 + 17 + 18 + 19 + 20 + 22 + 24) / 13) / 2,
  })
})

test('a composite that lacks tasks names them instead of a number', () => {
  const some = new Map(scores)
  some.delete('find-many')
  const incomplete = computeComposites(some, microTasks).filter(({ status }) => status === 'incomplete')
  expect(incomplete).toEqual(
    ['MultiBench', 'ReadBench', 'DriverBench'].map((name) => ({ name, status: 'incomplete', missing: ['find-many'] })),
  )
})

test('nothing measured is no score of 0', () => {
  const all = computeComposites(new Map(), microTasks)
  expect(all).toHaveLength(averages.length + 1)
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['incomplete']))
})
