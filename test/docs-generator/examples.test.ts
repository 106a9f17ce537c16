import { describe, expect, test } from 'vitest'
import { compileJson } from '../../bench/values.ts'
import { exampleAddresses, exampleShape, exampleThresholds } from '../../docs/generator/addresses.ts'
import { programCommands } from '../../docs/generator/commands-page.ts'
import { drawnShares } from '../../docs/generator/distributions.ts'
import { exampleResult } from '../../docs/generator/functions.ts'
import { exampleValues } from '../../docs/generator/generators-page.ts'
import { exitCodes, problems } from '../../src/core/errors.ts'
import { functions } from '../../src/language/functions/index.ts'
import { distributions } from '../../src/language/generators/distributions/index.ts'
import { generators } from '../../src/language/generators/index.ts'
import { parseThreshold } from '../../src/language/thresholds.ts'
import { validateAddress } from '../../src/metrics/address.ts'

describe('examples of generators', () => {
  test.each([...generators])('$keyword draws values, the same every time', (generator) => {
    const values = exampleValues(generator)
    expect(values).toHaveLength(5)
    expect(values).not.toContain(null)
    expect(exampleValues(generator)).toEqual(values)
  })

  test('have an argument for every generator that its own tests accept', () => {
    for (const { keyword, example } of generators) expect(compileJson({ [keyword]: example }).first(1)).toHaveLength(1)
  })
})

test.each([...functions])('the example of $keyword has the documented result', (entry) => {
  expect(exampleResult(entry)).toEqual(entry.example[1])
})

test.each([...distributions])('the bars of $kind are of all draws', ({ kind }) => {
  const shares = drawnShares(kind)
  expect(shares).toHaveLength(10)
  expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9)
})

test.each(exampleAddresses)('the address %s is right', (address) => {
  expect(validateAddress(address, exampleShape)).toBe(null)
})

test.each(exampleThresholds)('the threshold %s is right', (threshold) => {
  expect(validateAddress(parseThreshold(threshold)?.address ?? '', exampleShape)).toBe(null)
})

test('every option and argument of every command is described', () => {
  const untold = programCommands().flatMap((command) =>
    [...command.options, ...command.registeredArguments]
      .filter(({ description }) => description === '')
      .map((part) => `${command.name()}: ${part.name()}`),
  )
  expect(untold).toEqual([])
})

test('every foreseen failure has an exit code that the reference lists', () => {
  for (const { exitCode } of Object.values(problems)) expect(exitCodes).toHaveProperty(String(exitCode))
})
