import { expect, test } from 'vitest'
import { type CoreNeeds, divideCores } from '../../../../src/servers/targets/cores/divide-cores.ts'

const alone: CoreNeeds = { threads: 1, cpus: 0 }

test.each<[string, readonly number[], CoreNeeds, object]>([
  ['with two cores each gets one', [0, 1], alone, { client: [0], servers: [1] }],
  ['with more the servers get the rest', [0, 1, 2, 3], alone, { client: [0], servers: [1, 2, 3] }],
  ['the client gets one for each thread', [0, 1, 2, 3], { threads: 2, cpus: 0 }, { client: [0, 1], servers: [2, 3] }],
  ['but leaves one', [0, 1, 2, 3], { threads: 8, cpus: 0 }, { client: [0, 1, 2], servers: [3] }],
  ['or as many as a limit needs', [0, 1, 2, 3], { threads: 8, cpus: 1.5 }, { client: [0, 1], servers: [2, 3] }],
  ['of the cores that this process may use', [4, 6, 9], alone, { client: [4], servers: [6, 9] }],
  ['one core', [3], alone, { reason: expect.toSay('cores-too-few') }],
  ['a limit that takes all', [0, 1], { threads: 1, cpus: 2 }, { reason: expect.toSay('cores-too-few-for-limit') }],
])('apart: %s', (_what, allowed, needs, division) => expect(divideCores(allowed, needs)).toEqual(division))
