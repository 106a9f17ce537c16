import { operations } from './read-message.ts'

/** Limits how long large messages are read on the thread that relays them: what is beyond is left out. */
export type ReadingBudget = <Read>(
  bytes: Buffer,
  start: number,
  end: number,
  read: () => Read,
  late: () => Read,
) => Read

/** Larger messages count, in bytes as they were before compression: a small one takes microseconds, a packed megabyte may become a thousand. */
const smallBytes = 64 * 1024
/** Share of the time that reading them may take. */
const share = 0.5
/** Time that may be used at once, in µs. */
const burstUs = 200_000

/** Creates the budget of a thread. @param nowUs Any time that goes on, in µs. */
export function createReadingBudget(nowUs: () => number): ReadingBudget {
  let freeUs = burstUs
  let countedUs = nowUs()
  return (bytes, start, end, read, late) => {
    if (measureUnpacked(bytes, start, end) <= smallBytes) return read()
    const beganUs = nowUs()
    freeUs = Math.min(burstUs, freeUs + (beganUs - countedUs) * share)
    countedUs = beganUs
    if (freeUs <= 0) return late()
    try {
      return read()
    } finally {
      freeUs -= nowUs() - beganUs
    }
  }
}

/** Bytes that a message has before compression, as it claims: no more of it is unpacked. */
const measureUnpacked = (bytes: Buffer, start: number, end: number): number =>
  bytes.readInt32LE(start + 12) === operations.compressed
    ? Math.max(end - start, bytes.readInt32LE(start + 20))
    : end - start
