import { assert, nat, property, uniqueArray } from 'fast-check'
import { expect, test } from 'vitest'
import { coreListText, parseCoreList } from '../../src/servers/core-list.ts'

test('a list of the kernel is read', () => {
  expect(parseCoreList('0-2,7,9-10\n')).toEqual([0, 1, 2, 7, 9, 10])
  expect(parseCoreList('')).toEqual([])
})

test('numbers are written as the kernel writes them, in whatever order they are given', () => {
  expect(coreListText([7, 1, 0, 2])).toBe('0-2,7')
  expect(coreListText([3])).toBe('3')
})

test('what is written is read again', () => {
  assert(
    property(uniqueArray(nat(300)), (cores) => {
      expect(parseCoreList(coreListText(cores))).toEqual(cores.toSorted((a, b) => a - b))
    }),
  )
})
