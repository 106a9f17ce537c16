import { expect, test } from 'vitest'
import { chooseTasks } from '../../src/micro/choose-tasks.ts'
import { microTasks } from '../../src/micro/tasks.ts'

const chosen = (names: readonly string[], filter?: string): readonly string[] =>
  chooseTasks(microTasks, names, filter).map(({ name }) => name)

test('without names all 25 tasks of the specification and ten in memory run, each under another name', () =>
  expect(new Set(chosen([])).size).toBe(35))

test('named tasks run in the order of the list', () =>
  expect(chosen(['find-many', 'run-command'])).toEqual(['run-command', 'find-many']))

test('a filter looks into names and titles, whatever their case', () => {
  expect(chosen([], 'LDJSON')).toEqual(['ldjson-multi-import', 'ldjson-multi-export'])
  expect(chosen([], 'empty the cursor')).toEqual(['find-many'])
  expect(chosen(['run-command', 'find-many'], 'find')).toEqual(['find-many'])
})

test('an unknown name is refused with the nearest one', () => {
  expect(() => chosen(['run-comand'])).toSay('microbenchmark-misspelt')
  expect(() => chosen(['zzzzzzzzzzzzzzz'])).toSay('microbenchmark-unknown', { name: 'zzzzzzzzzzzzzzz' })
})

test('a filter that leaves nothing is refused', () =>
  expect(() => chosen(['run-command'], 'gridfs')).toSay('microbenchmark-filtered-out', { filter: 'gridfs' }))
