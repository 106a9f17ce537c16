/** What a recording keeps of values: all; equality and order of magnitude; types and lengths. */
export const valuesModes = ['keep', 'hash', 'shape'] as const

/** A way to keep values. */
export type ValuesMode = (typeof valuesModes)[number]

/** What is known of a recording when it begins. */
export type RecordingHeader = {
  /** When it began, as ISO 8601. */
  readonly beganAt: string
  readonly source: 'proxy' | 'pcap' | 'profile' | 'log'
  readonly values: ValuesMode
  /** Null: not known. */
  readonly serverVersion: string | null
  /** Version of mongo-perf. */
  readonly toolVersion: string
  /** What a recording of this source leaves out, as sentences: "Only operations slower than 100 ms were logged." */
  readonly limits: readonly string[]
}

/** What a recording does not have, by reason in words ("handshakes", "dropped, because the disk was slow"), with the number of calls. */
export type LeftOut = Readonly<Record<string, number>>

/** How a recording ended. */
export type RecordingEnd = {
  /** Number of calls that were read. */
  readonly calls: number
  /** In µs, to the end of the recording; of one that was cut, to the last call. */
  readonly durationUs: number
  readonly leftOut: LeftOut
  /** Offset in bytes from where on nothing can be read, because the file ends in the middle. Null: it is whole. */
  readonly cutAt: number | null
}
