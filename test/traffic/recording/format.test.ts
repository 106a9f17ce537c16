import { readFile, stat, writeFile } from 'node:fs/promises'
import { array, assert, asyncProperty, integer, nat } from 'fast-check'
import { expect, test } from 'vitest'
import { Problem } from '../../../src/core/errors.ts'
import { placeKey, Stream } from '../../../src/core/random.ts'
import { createRecording, droppedReason } from '../../../src/traffic/recording/create-recording.ts'
import { frameStartBytes, magic, packFrame } from '../../../src/traffic/recording/frames.ts'
import { openRecording } from '../../../src/traffic/recording/open-recording.ts'
import { type RecordedCall } from '../../../src/traffic/recording/recorded-call.ts'
import { useFreshFolder } from '../../fakes/temporary-folder.ts'
import { propertyRuns } from '../../property-runs.ts'
import { aCall, anyCall, commandOf, header, readAll, writeAll } from '../calls.ts'

const inFolder = useFreshFolder()

test('what is read is what was written, in the order of the starts', async () => {
  let number = 0
  await assert(
    asyncProperty(array(anyCall), async (calls) => {
      const file = inFolder(`${number++}.mprec`)
      const written = await writeAll(file, calls)
      const read = await readAll(file)
      expect(read.header).toEqual(header)
      expect(read.calls).toEqual(calls.toSorted((a, b) => a.startUs - b.startUs))
      expect(read.end).toMatchObject({ calls: calls.length, leftOut: {}, cutAt: null })
      const connections = new Set(calls.map(({ connection }) => connection)).size
      expect(written).toEqual({ calls: calls.length, connections, bytes: (await stat(file)).size, leftOut: {} })
    }),
  )
})

/** Calls of several connections, as they end: one after the other on each. */
function* interleaved(number: number, connections: number): Generator<RecordedCall> {
  const rng = new Stream(placeKey(7, 'calls')).at(0)
  const free = Array.from({ length: connections }, () => 0)
  for (let i = 0; i < number; i++) {
    const connection = rng.below(connections)
    const startUs = (free[connection] ?? 0) + rng.below(2000)
    const latencyUs = rng.below(5000)
    free[connection] = startUs + latencyUs
    yield aCall(
      { find: 'orders', filter: { _id: i, text: 'x'.repeat(rng.below(300)) } },
      { connection, startUs, latencyUs },
    )
  }
}

/** Short for a call: comparing those takes less time. */
const textOf = ({ connection, startUs, command }: RecordedCall): string =>
  `${connection} ${startUs} ${command.toString('base64')}`

test('calls that end in any order are read by their starts, over many frames', async () => {
  const file = inFolder('a.mprec')
  const calls = [...interleaved(20_000, 10)].toSorted((a, b) => end(a) - end(b))
  /** The oldest start of the calls from each on. */
  const oldest = calls.map(({ startUs }) => startUs)
  for (let i = oldest.length - 2; i >= 0; i--) oldest[i] = Math.min(oldest[i] ?? 0, oldest[i + 1] ?? 0)
  let added = 0
  const writer = await createRecording(file, header, () => oldest[added] ?? Infinity)
  for (const call of calls) {
    added++
    writer.add(call)
  }
  await writer.close(0)
  const read = await readAll(file)
  expect(read.calls.map(textOf)).toEqual(calls.toSorted((a, b) => a.startUs - b.startUs).map(textOf))
  expect(read.end?.durationUs).toBe(Math.max(...calls.map(({ startUs }) => startUs)))
})

const end = ({ startUs, latencyUs }: RecordedCall): number => startUs + (latencyUs ?? 0)

test('a call that is open for more than ten seconds does not hold up the others, and comes when it has ended', async () => {
  const file = inFolder('a.mprec')
  const slow = aCall({ aggregate: 'orders' }, { startUs: 5 })
  const writer = await createRecording(file, header, () => slow.startUs)
  for (let second = 1; second <= 30; second++) writer.add(aCall({ ping: 1 }, { startUs: second * 1_000_000 }))
  writer.add(slow)
  await writer.close(0)
  const { calls } = await readAll(file)
  const at = calls.findIndex(({ name }) => name === 'aggregate')
  expect(at).toBe(19)
})

test('a file that is cut anywhere is read to its last whole frame, and says where it was cut', async () => {
  const file = inFolder('a.mprec')
  const calls = [...interleaved(5000, 3)].toSorted((a, b) => a.startUs - b.startUs)
  await writeAll(file, calls)
  const whole = await readFile(file)
  const cut = inFolder('cut.mprec')
  const texts = calls.map(textOf)
  let before = 0
  for (let length = 200; length < whole.length; length += 4999) {
    await writeFile(cut, whole.subarray(0, length))
    const read = await readAll(cut)
    expect(read.calls.map(textOf)).toEqual(texts.slice(0, read.calls.length))
    expect(read.calls.length).toBeGreaterThanOrEqual(before)
    expect(read.end?.cutAt).toBeLessThanOrEqual(length)
    before = read.calls.length
  }
  expect(before).toBeGreaterThan(1000)
})

test('bytes that were changed are a problem with their offset, and nothing else', async () => {
  const file = inFolder('a.mprec')
  await writeAll(file, [...interleaved(300, 3)])
  const whole = await readFile(file)
  const changed = inFolder('changed.mprec')
  await assert(
    asyncProperty(
      array(nat(whole.length - 1), { minLength: 1, maxLength: 4 }),
      integer({ min: 1, max: 255 }),
      async (places, by) => {
        const bytes = Buffer.from(whole)
        for (const place of new Set(places)) bytes[place] = (bytes[place] as number) ^ by
        await writeFile(changed, bytes)
        await expect(readAll(changed)).rejects.toSatisfy(
          (error) => error instanceof Problem && error.code === 'recording-unreadable',
        )
      },
    ),
    // 10,000 of them, and 100,000 in the full run, are tried on one frame: see frames.test.ts.
    { numRuns: propertyRuns },
  )
})

const failure = (name: string) => readAll(name).catch((error: unknown) => error)

test('each reason why a file cannot be read has its own words', async () => {
  const file = inFolder('a.mprec')
  await writeAll(file, [aCall({ ping: 1 })])
  const whole = await readFile(file)
  const text = inFolder('b.mprec')
  await writeFile(text, 'no recording')
  whole[9 + 17 + 5] = 255
  await writeFile(file, whole)
  const none = inFolder('none.mprec')
  expect(await failure(none)).toSay('recording-missing', { file: none })
  expect(await failure(text)).toSay('recording-of-another-kind', { file: text })
  expect(await failure(file)).toSay('recording-damaged', { file })
  expect(await writeAll(file, []).catch((error: unknown) => error)).toSay('recording-exists', { file })
})

test('only the owner may read a recording', async () => {
  const file = inFolder('a.mprec')
  await writeAll(file, [])
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('logins and commands with passwords are not written, and counted', async () => {
  const file = inFolder('a.mprec')
  const secret = 'hunter2-hunter2'
  const kept = [
    aCall({ saslStart: 1, payload: secret }),
    aCall({ saslContinue: 1, payload: secret }),
    aCall({ isMaster: 1, speculativeAuthenticate: { payload: secret } }),
    aCall({ createUser: 'ann', pwd: secret }),
    aCall({ find: 'users' }),
  ]
  const { leftOut } = await writeAll(file, kept)
  expect(leftOut).toEqual({ logins: 2, handshakes: 1, 'commands with passwords': 1 })
  const read = await readAll(file)
  expect(read.calls.map(({ name }) => name)).toEqual(['find'])
  expect(read.end?.leftOut).toEqual(leftOut)
})

test('calls that come faster than the disk takes them are left out and counted, within a bound of memory', async () => {
  const file = inFolder('a.mprec')
  const writer = await createRecording(file, header)
  const large = aCall({ insert: 'files', documents: [{ bytes: Buffer.alloc(8_000_000) }] })
  for (let i = 0; i < 20; i++) writer.add({ ...large, startUs: i })
  const { calls, leftOut } = await writer.close(0)
  expect(leftOut[droppedReason]).toBe(20 - calls)
  expect(calls).toBe(8)
})

test('a findOne takes at most 40 bytes beside its values', async () => {
  const file = inFolder('a.mprec')
  const rng = new Stream(placeKey(3, 'calls')).at(0)
  const number = 20_000
  let startUs = 0
  const calls = Array.from({ length: number }, () => {
    startUs += rng.below(400)
    const digest = (BigInt(rng.below(2 ** 31)) << 33n) | BigInt(rng.below(2 ** 31))
    const command = { find: 'orders', filter: { _id: rng.below(1_000_000) }, limit: 1, singleBatch: true, batchSize: 1 }
    return aCall(command, {
      connection: rng.below(50),
      startUs,
      latencyUs: 150 + rng.below(200),
      session: { number: rng.below(50), transactionNumber: null, transaction: 'none' },
      reply: {
        ok: true,
        code: 0,
        n: null,
        nModified: null,
        cursor: 0n,
        documents: 1,
        digest,
        upsertedIds: [],
        work: null,
        bytes: 300 + rng.below(200),
      },
    })
  })
  const { bytes } = await writeAll(file, calls)
  // The _id is an int32.
  expect(bytes / number - 4).toBeLessThanOrEqual(40)
  expect(commandOf((await readAll(file)).calls[0])).toEqual(commandOf(calls[0]))
})

test('a frame that unpacks to other things than calls is damaged, and not read for seconds', async () => {
  const file = inFolder('zeros.mprec')
  await writeAll(file, [])
  const whole = await readFile(file)
  const frame = await packFrame('calls', Buffer.alloc(20_000_000))
  const offset = magic.length + frameStartBytes + whole.readUInt32LE(magic.length + 1)
  await writeFile(file, Buffer.concat([whole.subarray(0, offset), frame]))
  await expect(readAll(file)).rejects.toSay('recording-of-zeros', { file, offset })
})

test('frames that unpack to much more than they are together end a recording, each of them sound', async () => {
  const file = inFolder('much.mprec')
  await writeAll(file, [])
  const whole = await readFile(file)
  const offset = magic.length + frameStartBytes + whole.readUInt32LE(magic.length + 1)
  const frame = await packFrame('leftOut', Buffer.from(`{}${' '.repeat(60_000)}`))
  await writeFile(file, Buffer.concat([whole.subarray(0, offset), ...Array.from({ length: 20 }, () => frame)]))
  const read = async (freeBytes?: number) => {
    await using recording = await openRecording(file, freeBytes)
    for await (const batch of recording.batches()) expect([...batch]).toEqual([])
  }
  await expect(read()).resolves.toBeUndefined()
  await expect(read(500_000)).rejects.toThrow(/it unpacks to more than/)
})
