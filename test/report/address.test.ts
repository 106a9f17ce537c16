import { describe, expect, test } from 'vitest'
import { checkAddress, parseAddress } from '../../src/report/address.ts'

const one = { phases: [{ name: 'mix', operations: ['findOne', 'insertOne'] }] }
const two = {
  phases: [
    { name: 'write', operations: ['insertMany'] },
    { name: 'read', operations: ['findOne', 'find'] },
  ],
}

describe('an address is understood', () => {
  test.each([
    ['p99Ms', one, { measure: 'p99Ms', place: { phase: 'mix', operation: null } }],
    ['mix.p99Ms', one, { measure: 'p99Ms', place: { phase: 'mix', operation: null } }],
    ['findOne.p99Ms', one, { measure: 'p99Ms', place: { phase: 'mix', operation: 'findOne' } }],
    ['mix.findOne.p99Ms', one, { measure: 'p99Ms', place: { phase: 'mix', operation: 'findOne' } }],
    ['find.opsPerSecond', two, { measure: 'opsPerSecond', place: { phase: 'read', operation: 'find' } }],
    ['insertMany.cpuPercent', two, { measure: 'cpuPercent', place: { phase: 'write', operation: 'insertMany' } }],
  ])('%s', (address, shape, expected) => {
    expect(checkAddress(address, shape)).toBeNull()
    expect(parseAddress(address, shape)).toEqual(expected)
  })

  test('a bare measure is that of the row where a row is one operation', () => {
    expect(parseAddress('p99Ms', two, 'operations')).toEqual({ measure: 'p99Ms', place: null })
  })

  test('an operation that is alone in a phase of its own name is that phase', () => {
    const same = { phases: [{ name: 'find', operations: ['find'] }, ...two.phases.slice(0, 1)] }
    expect(parseAddress('find.cpuPercent', same)).toEqual({
      measure: 'cpuPercent',
      place: { phase: 'find', operation: null },
    })
  })
})

describe('an address is refused, with the nearest right one', () => {
  test.each([
    ['p99ms', one, 'there is no measure "p99ms"', 'p99Ms'],
    ['findOne.opsPerSec', one, 'there is no measure "opsPerSec"', 'findOne.opsPerSecond'],
    ['findone.p99Ms', one, 'no measured phase or operation is called "findone"', 'findOne.p99Ms'],
    ['mix.findTwo.p99Ms', one, 'no measured phase or operation is called "mix.findTwo"', 'mix.findOne.p99Ms'],
    ['p99Ms', two, 'several phases are measured: say which', 'write.p99Ms'],
    [
      'findOne.cpuPercent',
      one,
      '"cpuPercent" is known for the phase "mix" as a whole, not for one of its operations',
      'mix.cpuPercent',
    ],
    ['', one, 'there is no measure ""', null],
    ['toString', one, 'there is no measure "toString"', null],
  ])('%j', (address, shape, reason, nearest) => {
    expect(checkAddress(address, shape)).toEqual({ reason, nearest })
  })

  test('an operation of two phases needs its phase', () => {
    const twice = {
      phases: [
        { name: 'first', operations: ['find'] },
        { name: 'second', operations: ['find', 'findOne'] },
      ],
    }
    expect(checkAddress('find.p99Ms', twice)).toEqual({
      reason: 'several phases and operations are called "find"',
      nearest: 'first.find.p99Ms',
    })
    expect(checkAddress('second.find.p99Ms', twice)).toBeNull()
  })

  test('a reader that cannot go on gets a problem with a way out', () => {
    expect(() => parseAddress('mix.p99ms', one)).toThrow(
      expect.objectContaining({ code: 'spec-invalid', hint: 'Did you mean "mix.p99Ms"?' }),
    )
  })
})

test('where no run got through, a phase that is not there is no mistake', () => {
  expect(checkAddress('write.p99Ms', { phases: [], partial: true })).toBeNull()
  expect(checkAddress('write.p99ms', { phases: [], partial: true })).not.toBeNull()
})
