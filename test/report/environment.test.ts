import { expect, test } from 'vitest'
import { environmentOf } from '../../src/report/environment.ts'
import { type VariantResult } from '../../src/results/schema.ts'
import { fakePhase, fakeResult, fakeVariant } from '../fakes/fake-result.ts'

const factsOf = (...variants: readonly VariantResult[]): ReadonlyMap<string, string> =>
  new Map(environmentOf(fakeResult({ variants: [...variants] })).map(({ name, value }) => [name, value]))

test('what a spec states about a server is told, be it "none"; limits are told where there are some', () => {
  const facts = factsOf(fakeVariant({ facts: { encryption: 'none' } }))
  expect(facts.get('encryption')).toBe('none')
  expect(facts.has('Server limits')).toBe(false)
})
