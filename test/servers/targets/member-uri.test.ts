import { expect, test } from 'vitest'
import { memberUri } from '../../../src/servers/targets/member-uri.ts'

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
