import { expect, test } from 'vitest'
import { Problem } from '../../../src/core/errors.ts'
import { packFailure } from '../../../src/run/agents/agent/pack-failure.ts'

const from = { name: 'north', secrets: ['s3same', 'mongodb://u:s3same@db:27017'] }

test.each([
  ['connect ECONNREFUSED 10.0.0.3:27017', 'connect ECONNREFUSED ***'],
  ['connect ECONNREFUSED [::1]:27017', 'connect ECONNREFUSED ***'],
  ['connection to db-1.internal:27017 closed', 'connection to *** closed'],
  ['connection to localhost:27017 closed', 'connection to *** closed'],
  ['getaddrinfo ENOTFOUND db-1.internal', 'getaddrinfo ENOTFOUND ***'],
  ['cannot use mongodb://u:s3same@db:27017', 'cannot use ***'],
  ['the password s3same is wrong', 'the password *** is wrong'],
  ['spec of the run:1:23456: phases[0]: no', 'spec of the run:1:23456: phases[0]: no'],
])('%s travels without address and password', (message, sent) => {
  const problem = new Problem('target-unreachable', message, { hint: message })
  const packed = packFailure(problem, from)
  expect(packed).toMatchObject({ message: `Agent north: ${sent}`, problem: { hint: `At the agent: ${sent}` } })
  expect(packFailure(new Error(message), from)).toMatchObject({ message: `Agent north: ${sent}`, stack: undefined })
})

test('the hint for a run that was left is for the coordinator', () => {
  const left = new Problem('agents-unavailable', 'The run was left', { hint: 'Use --resume.' })
  expect(packFailure(left, from).problem?.hint).toBe('Use --resume.')
})
