import { ConnectionString } from 'mongodb-connection-string-url'
import { expect, test } from 'vitest'
import { isLoopback, staysHere } from '../../src/targets/loopback.ts'

test.each(['localhost', 'LOCALHOST:1', '127.0.0.1:27017', '127.9.9.9', '[::1]:27017', '%2Ftmp%2Fmongodb.sock'])(
  '%s is this machine',
  (host) => expect(isLoopback(host)).toBe(true),
)

test.each([
  'db.example:27017',
  '10.0.0.1',
  '127.0.0.1.example.org',
  'localhost.example.org',
  '0.0.0.0',
  '[::2]:1',
  '1270.0.0.1',
])('%s may be another machine', (host) => expect(isLoopback(host)).toBe(false))

test.each([
  ['one host of several elsewhere', 'mongodb://127.0.0.1,db.example/'],
  ['a name that DNS resolves', 'mongodb+srv://localhost.example.org/'],
  ['a proxy', 'mongodb://127.0.0.1/?proxyHost=db.example'],
])('a URI with %s leads elsewhere', (_what, uri) => {
  expect(staysHere(new ConnectionString(uri))).toBe(false)
})
