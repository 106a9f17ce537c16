import { expect, test } from 'vitest'
import { readHello } from '../../../src/servers/targets/hello.ts'

test('a reply to hello is read with its lists', () => {
  const reply = { setName: 'rs', hosts: ['a:1', 'b:1'], passives: ['c:1'], arbiters: ['d:1'], ok: 1 }
  const { ok: _, ...read } = reply
  expect(readHello(reply)).toEqual(read)
  expect(readHello({ msg: 'isdbgrid' })).toEqual({ msg: 'isdbgrid', hosts: [], passives: [], arbiters: [] })
})

test.each([
  {},
  { hosts: null, passives: null, arbiters: null, setName: null },
  { hosts: 'a:1', passives: { 0: 'b:1' }, msg: 7, setName: 7 },
  { hosts: [null, 7] },
])('a reply of another form (%j) is that of a server alone', (reply) => {
  expect(readHello(reply)).toEqual({ hosts: [], passives: [], arbiters: [] })
})
