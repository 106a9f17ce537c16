import { expect, test } from 'vitest'
import { clusterNames } from '../../src/metrics/evaluate.ts'

const names = ['fastest', 'mid', 'slowest']

test('values are cut where neighbours are furthest apart in ratio, whatever their order', () => {
  expect(clusterNames([260, 21, 190, 22, 270], ['fast', 'slow'])).toEqual(['slow', 'fast', 'slow', 'fast', 'slow'])
  expect(clusterNames([1, 2, 100, 110, 5000], names)).toEqual(['fastest', 'fastest', 'mid', 'mid', 'slowest'])
})

test('a large difference is not a large ratio', () => {
  expect(clusterNames([1, 3, 1000, 2000], ['a', 'b'])).toEqual(['a', 'a', 'b', 'b'])
  expect(clusterNames([1, 10, 1000, 2000, 3000], names)).toEqual(['fastest', 'mid', 'slowest', 'slowest', 'slowest'])
})

test('equal values are never parted, so there may be fewer groups than names', () => {
  expect(clusterNames([5, 5, 5], names)).toEqual(['fastest', 'fastest', 'fastest'])
  expect(clusterNames([5, 6], names)).toEqual(['fastest', 'mid'])
})

test('0 is as far from the others as can be', () =>
  expect(clusterNames([0, 1, 1000], ['none', 'some'])).toEqual(['none', 'some', 'some']))

test('what was not measured is in no group', () => {
  expect(clusterNames([null, 1, 100], ['a', 'b'])).toEqual([null, 'a', 'b'])
  expect(clusterNames([], names)).toEqual([])
})
