import { expect, test } from 'vitest'
import { memberUri, readHello } from '../../../../src/servers/targets/connection/members.ts'

test('a member is reached directly, with the credentials and TLS options of its deployment', () => {
  const uri = 'mongodb://u:p%40ss@a:1,b:2/db?replicaSet=rs&authSource=admin&tls=true&readPreference=secondary'
  expect(memberUri(uri, 'b:2')).toBe('mongodb://u:p%40ss@b:2/db?authSource=admin&tls=true&directConnection=true')
})

test('a member of a deployment found by DNS keeps the TLS that such a URI implies', () => {
  expect(memberUri('mongodb+srv://u:p@cluster.example/?srvMaxHosts=1', 'a:1')).toBe(
    'mongodb://u:p@a:1/?tls=true&directConnection=true',
  )
})

test('a Unix socket is encoded, as URIs have it', () => {
  expect(memberUri('mongodb://%2Ftmp%2Fa.sock/?replicaSet=rs', '/tmp/a.sock')).toBe(
    'mongodb://%2Ftmp%2Fa.sock/?directConnection=true',
  )
})

test('nothing is compressed: a server counts the bytes that it gets', () => {
  expect(memberUri('mongodb://a:1,b:2/?compressors=zstd,zlib', 'b:2')).toBe('mongodb://b:2/?directConnection=true')
})

test('TLS that is switched off stays off', () => {
  expect(memberUri('mongodb+srv://cluster.example/?tls=false', 'a:1')).toContain('tls=false')
})

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
