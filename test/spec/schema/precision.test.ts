import { expect, test } from 'vitest'
import { describePlan } from '../../../src/cli/actions/describe-plan.ts'
import { aPhase, load, oneRow } from '../../fakes/a-spec.ts'

const phases = [aPhase({ stopAfter: { precisionPercent: 2.5, seconds: 90 } })]

test('an end by precision is part of the plan', () => {
  expect(describePlan(load({ phases }))).toContain('until ±2.5 %, at most 90 seconds')
  expect(oneRow({ phases }).spec.phases[0]?.stopAfter).toEqual({ precisionPercent: 2.5, seconds: 90 })
})
