import { expect, test } from 'vitest'
import { listenAddress, portNumber } from '../../src/cli/commands/run.ts'

test.each([
  ['9464', '127.0.0.1', 9464],
  ['0', '127.0.0.1', 0],
  ['127.0.0.1:9464', '127.0.0.1', 9464],
  ['0.0.0.0:9464', '0.0.0.0', 9464],
  ['localhost:1', 'localhost', 1],
  ['[::1]:9464', '::1', 9464],
])('%s is a place to listen', (text, host, port) => {
  expect(listenAddress(text)).toEqual({ host, port })
})

test.each(['', 'localhost', ':9464', '::1', 'a:b:1', '127.0.0.1:', '65536', 'http://127.0.0.1:9464', '-1', '1.5'])(
  '"%s" is none',
  (text) => {
    expect(() => listenAddress(text)).toThrow(/It must be a port/)
  },
)

test.each(['80a', '', ' 80', '0x50', '70000'])('"%s" is no port', (text) => {
  expect(() => portNumber(text)).toThrow('It must be a port: a whole number from 0 to 65535.')
})
