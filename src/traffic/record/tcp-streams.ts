/** A segment of a TCP connection in a capture. */
export type Segment = {
  /** Address and port of both ends. */
  readonly from: string
  readonly to: string
  readonly sequence: number
  readonly flags: { readonly syn: boolean; readonly ack: boolean; readonly fin: boolean; readonly rst: boolean }
  readonly data: Buffer
  readonly atUs: number
}

/** One direction of a connection. */
export type TcpStream = {
  readonly take: (segment: Segment) => void
  /** Whether bytes are missing so far, because a segment was lost or comes later. */
  readonly isMissingBytes: () => boolean
}

/** Distance of sequence numbers, which wrap at 2^32. Below 0: the first one is before the other. */
const distance = (one: number, other: number): number => (one - other) | 0

/** Maximum bytes to keep after a gap until it is closed. Beyond that, it stays open. */
const maxAheadBytes = 4 * 1024 * 1024

/**
 * Puts the segments of one direction of a connection in order.
 * @param first Sequence number of the first byte.
 * @param onData Receives all bytes in the order in which they were sent.
 */
export function createTcpStream(first: number, onData: (data: Buffer, atUs: number) => void): TcpStream {
  let next = first
  /** Sorted by their sequence numbers. */
  const ahead: Segment[] = []
  let aheadBytes = 0

  function takeNext({ sequence, data, atUs }: Segment): void {
    const seen = -distance(sequence, next)
    // A retransmission may repeat all of it, or a part.
    if (seen >= data.length) return
    next = (sequence + data.length) >>> 0
    onData(data.subarray(seen), atUs)
  }

  /** Takes the segments that were ahead, up to the next gap. They count as received now. */
  function takeAhead(atUs: number): void {
    let taken = 0
    for (const one of ahead) {
      if (distance(one.sequence, next) > 0) break
      takeNext({ ...one, atUs })
      aheadBytes -= one.data.length
      taken++
    }
    ahead.splice(0, taken)
  }

  return {
    take(segment) {
      const { sequence, data, atUs } = segment
      if (data.length === 0) return
      if (distance(sequence, next) <= 0) {
        takeNext(segment)
        return takeAhead(atUs)
      }
      if (aheadBytes + data.length > maxAheadBytes) return
      const before = ahead.findLastIndex((one) => distance(one.sequence, sequence) <= 0)
      ahead.splice(before + 1, 0, { ...segment, data: Buffer.from(data) })
      aheadBytes += data.length
    },
    isMissingBytes: () => ahead.length > 0,
  }
}
