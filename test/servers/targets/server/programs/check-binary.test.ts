import { expect, test } from 'vitest'
import { explainStart, isVersion } from '../../../../../src/servers/targets/server/programs/check-binary.ts'

test.each([
  ['6.0.5', '6.0', true],
  ['6.0.5', '6.0.5', true],
  ['6.0.5', undefined, true],
  ['6.0.50', '6.0.5', false],
  ['6.10.0', '6.1', false],
  ['7.0.14-8', '7.0.14', true],
])('mongod %s asked for %s: %s', (version, wanted, expected) => expect(isVersion(version, wanted)).toBe(expected))

const loading = '/m: error while loading shared libraries'

test.each([
  ['127', `${loading}: libcurl.so.4: cannot open shared object file`, 'binary-without-package'],
  ['127', `${loading}: libodd.so.9: cannot open`, 'binary-without-library'],
  ['1', "/m: /lib/libc.so.6: version `GLIBC_2.34' not found (required by /m)", 'binary-too-new'],
  ['SIGILL', '', 'binary-needs-avx'],
  ['ENOENT', '', 'binary-not-there'],
  ['EACCES', '', 'binary-not-executable'],
  ['2', 'first\nlast words\n', 'binary-does-not-run'],
])('a binary that ends with %s (%s) is explained in words', (code, stderr, text) =>
  expect(explainStart({ ok: false, code, stderr })).toSay(text),
)
