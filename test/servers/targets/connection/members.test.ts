import { expect, test } from 'vitest'
import { memberUri, readHello } from '../../../../src/servers/targets/connection/members.ts'

const ofSet = 'mongodb://u:p%40ss@a:1,b:2/db?replicaSet=rs&authSource=admin&tls=true&readPreference=secondary'
const direct = 'directConnection=true'

test.each([
  ['a member has credentials and TLS', ofSet, 'b:2', `mongodb://u:p%40ss@b:2/db?authSource=admin&tls=true&${direct}`],
  ['DNS implies TLS', 'mongodb+srv://u:p@c.example/?srvMaxHosts=1', 'a:1', `mongodb://u:p@a:1/?tls=true&${direct}`],
  ['a Unix socket is encoded', 'mongodb://%2Ftmp%2Fa.sock/', '/tmp/a.sock', `mongodb://%2Ftmp%2Fa.sock/?${direct}`],
  // A server counts the bytes that it gets.
  ['nothing is compressed', 'mongodb://a:1,b:2/?compressors=zstd,zlib', 'b:2', `mongodb://b:2/?${direct}`],
  ['TLS stays off', 'mongodb+srv://c.example/?tls=false', 'a:1', `mongodb://a:1/?tls=false&${direct}`],
])('of the URI of a member: %s', (_what, uri, host, expected) => expect(memberUri(uri, host)).toBe(expected))

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
])('a reply of another form (%j) is that of a server alone', (reply) =>
  expect(readHello(reply)).toEqual({ hosts: [], passives: [], arbiters: [] }),
)
