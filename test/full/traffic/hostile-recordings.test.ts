import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { deflateSync } from 'node:zlib'
import { serialize, setInternalBufferSize } from 'bson'
import { expect, test } from 'vitest'
import { crc32 } from '../../../src/traffic/recording/crc32.ts'
import { frameStartBytes, magic } from '../../../src/traffic/recording/frames.ts'
import { workplace } from '../../contract/support/program.ts'
import { header } from '../../traffic/calls.ts'

// Larger documents than 17 MB have no room in it otherwise.
setInternalBufferSize(64 * 1024 * 1024)

/** A frame whose checksums are right, whatever it has. */
function frame(kind: number, packed: Buffer, rawBytes: number, packedBytes = packed.length): Buffer {
  const start = Buffer.alloc(frameStartBytes)
  start[0] = kind
  start.writeUInt32LE(packedBytes, 1)
  start.writeUInt32LE(rawBytes, 5)
  start.writeUInt32LE(crc32(packed), 9)
  start.writeUInt32LE(crc32(start.subarray(0, 13)), 13)
  return Buffer.concat([start, packed])
}

const headerText = Buffer.from(JSON.stringify(header))
const begin = Buffer.concat([magic, frame(0, deflateSync(headerText), headerText.length)])

/** A frame of one call whose command is as large as the protocol allows. */
function largeCall(filling: Buffer): Buffer {
  const command = serialize({ insert: 'files', documents: [{ filling }] })
  // Bits: none; connection, time and size: one byte each.
  const raw = Buffer.concat([Buffer.from([5, 0, 0, 0, 0, 1]), Buffer.from('shop\0'), command])
  return frame(1, deflateSync(raw, { level: 1 }), raw.length)
}

const zeros = largeCall(Buffer.alloc(47_000_000))
/** The largest frames that are allowed take several times their size, until they are collected. */
const hostile: readonly (readonly [what: string, maxMB: number, bytes: () => Buffer, code: number])[] = [
  [
    'a frame that claims 2 GB',
    200,
    () => Buffer.concat([begin, frame(1, Buffer.alloc(0), 2 ** 31 - 1, 2 ** 31 - 1)]),
    2,
  ],
  [
    'a header that claims 50 MB',
    200,
    () => Buffer.concat([magic, frame(0, deflateSync(Buffer.alloc(40_000_000)), 40_000_000)]),
    2,
  ],
  [
    'a hundred frames of 47 MB that were 50 KB',
    600,
    () => Buffer.concat([begin, ...Array.from({ length: 100 }, () => zeros)]),
    0,
  ],
  [
    'four frames of 47 MB that cannot be compressed',
    600,
    () => Buffer.concat([begin, ...Array.from({ length: 4 }, () => largeCall(randomBytes(47_000_000)))]),
    0,
  ],
]

/**
 * Prints how much memory the process had at most, in kB. Linux hands the `maxRSS` of `process.resourceUsage()` on to
 * what a process starts, so that of a child is never below what the worker of the tests has.
 */
const showMemory = `data:text/javascript,${encodeURIComponent(
  `import { readFileSync } from 'node:fs'
  process.on('exit', () => process.stderr.write(/VmHWM.*/.exec(readFileSync('/proc/self/status', 'utf8'))[0]))`,
)}`

test.each(hostile)('%s takes at most %i MB of memory', async (_, maxMB, bytes, code) => {
  await using place = await workplace()
  const file = path.join(place.folder, 'a.mprec')
  await writeFile(file, bytes())
  const ended = await place.start(['inspect', file], {}, ['--import', showMemory]).ended
  expect(ended.code).toBe(code)
  expect(Number(/VmHWM:\s+(\d+) kB/.exec(ended.stderr)?.[1])).toBeLessThan(maxMB * 1000)
})
