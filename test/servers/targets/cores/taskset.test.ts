import { expect, test } from 'vitest'
import { pinnedCommand, whyNoTaskset } from '../../../../src/servers/targets/cores/cores-here.ts'

test('a command is started on its cores, and as it is where there are none', () => {
  expect(pinnedCommand([1, 2, 3, 7], ['mongod', '--port=1'])).toEqual(['taskset', '-c', '1-3,7', 'mongod', '--port=1'])
  expect(pinnedCommand(undefined, ['mongod'])).toEqual(['mongod'])
})

test('a system on which nothing can be pinned is noticed', async () =>
  expect(await whyNoTaskset([99_999])).toSay('cores-without-taskset'))
