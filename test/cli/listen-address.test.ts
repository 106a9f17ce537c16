import { expect, test } from 'vitest'
import { listenAddress, portNumber } from '../../src/cli/options/arguments.ts'

test.each([
  ['9464', '127.0.0.1', 9464],
  ['0', '127.0.0.1', 0],
  ['127.0.0.1:9464', '127.0.0.1', 9464],
  ['0.0.0.0:9464', '0.0.0.0', 9464],
  ['localhost:1', 'localhost', 1],
  ['[::1]:9464', '::1', 9464],
])('%s is a place to listen', (text, host, port) => expect(listenAddress(text)).toEqual({ host, port }))

const wrong = ['', 'localhost', ':9464', '::1', 'a:b:1', '127.0.0.1:', 'http://127.0.0.1:9464', '-1', '1.5']

test.each(wrong)('"%s" is none', (text) => expect(() => listenAddress(text)).toSay('cli-address-unreadable'))

test.each(['80a', '', ' 80', '0x50', '70000'])('"%s" is no port', (text) =>
  expect(() => portNumber(text)).toSay('cli-port-out-of-range', { least: 0, most: 65535 }),
)

test('a place to listen has a port below 65536', () =>
  expect(() => listenAddress('65536')).toSay('cli-port-out-of-range', { least: 0, most: 65535 }))
