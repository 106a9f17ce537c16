import os from 'node:os'
import { ConnectionString } from 'mongodb-connection-string-url'
import { expect, test } from 'vitest'
import { isLoopback, staysHere, isThisMachine } from '../../../../src/servers/targets/connection/loopback.ts'

test.each([
  'localhost',
  'LOCALHOST:1',
  '127.0.0.1:27017',
  '127.9.9.9',
  '127.255.255.255:1',
  '[::1]:27017',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]:1',
  '%2Ftmp%2Fmongodb.sock',
  '/tmp/mongodb 100%.sock',
])('%s is this machine', (host) => expect(isLoopback(host)).toBe(true))

const others =
  'db.example:27017 10.0.0.1 127.0.0.1.example.org localhost.example.org localhost. 0.0.0.0 [::2]:1 [::ffff:10.0.0.1]'
const numbers = '1270.0.0.1 127.999.999.999 127.0.0.256:1 127.1 127.0.0.010 0177.0.0.1 0x7f.0.0.1 2130706433'
const sockets =
  'evil.com%2Fx evil.com%2Fx.sock %2Fevil.com %2Ftmp%2Fmongodb.sock:27017 evil.sock %252Ftmp%252Fmongodb.sock'

test.each([others, numbers, sockets].flatMap((hosts) => hosts.split(' ')))('%s may be another machine', (host) =>
  expect(isLoopback(host)).toBe(false),
)

test.each([
  ['one host of several elsewhere', 'mongodb://127.0.0.1,db.example/'],
  ['a name that DNS resolves', 'mongodb+srv://localhost.example.org/'],
  ['a proxy', 'mongodb://127.0.0.1/?proxyHost=db.example'],
])('a URI with %s leads elsewhere', (_what, uri) => expect(staysHere(new ConnectionString(uri))).toBe(false))

test('a member of a set is on this machine when it has its name or one of its addresses', () => {
  const addresses = Object.values(os.networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address))
  const here = ['127.0.0.1:27017', `${os.hostname()}:27017`, ...addresses.map((address) => `[${address}]:27017`)]
  expect(here.filter((host) => !isThisMachine(host))).toEqual([])
  expect(isThisMachine('192.0.2.7:27017')).toBe(false)
})
