import { expect, test } from 'vitest'
import { explainStart, isVersion } from '../../../../../src/servers/targets/server/programs/check-binary.ts'

test.each([
  ['6.0.5', '6.0', true],
  ['6.0.5', '6.0.5', true],
  ['6.0.5', undefined, true],
  ['6.0.50', '6.0.5', false],
  ['6.10.0', '6.1', false],
  ['7.0.14-8', '7.0.14', true],
])('mongod %s asked for %s: %s', (version, wanted, expected) => {
  expect(isVersion(version, wanted)).toBe(expected)
})

test.each([
  ['127', '/m: error while loading shared libraries: libcurl.so.4: cannot open shared object file', 'libcurl4'],
  [
    '127',
    '/m: error while loading shared libraries: libodd.so.9: cannot open',
    'needs the library libodd.so.9, which is missing',
  ],
  ['1', "/m: /lib/libc.so.6: version `GLIBC_2.34' not found (required by /m)", 'built for a newer system (GLIBC_2.34'],
  ['SIGILL', '', 'AVX'],
  ['ENOENT', '', 'does not exist'],
  ['EACCES', '', 'is not an executable file'],
  ['2', 'first\nlast words\n', 'does not run (2: last words)'],
])('a binary that ends with %s is explained in words', (code, stderr, expected) => {
  expect(explainStart({ ok: false, code, stderr })).toContain(expected)
})
