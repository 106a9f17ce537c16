import { z } from 'zod'
import { valuesModes } from './values-modes.ts'

export const headerSchema = z.object({
  /** When the recording began, as ISO 8601. */
  beganAt: z.string(),
  source: z.enum(['proxy', 'pcap', 'profile', 'log']),
  values: z.enum(valuesModes),
  /** Null: not known. */
  serverVersion: z.string().nullable(),
  /** Version of mongo-perf. */
  toolVersion: z.string(),
  /** Limits of recordings of this source, as sentences: "Only operations slower than 100 ms were logged." */
  limits: z.array(z.string()).readonly(),
})

/** Facts about a recording that are known when it begins. */
export type RecordingHeader = Readonly<z.infer<typeof headerSchema>>

/** Counts of calls left out, in the file. */
export const leftOutSchema = z.record(z.string(), z.number())

/** Numbers of calls or messages that were left out, by reason ("handshakes"). */
export type LeftOut = Readonly<Record<string, number>>

export type RecordingEnd = {
  readonly calls: number
  /** Duration of the recording in µs. If the file was cut: until its last call ended. */
  readonly durationUs: number
  readonly leftOut: LeftOut
  /** Offset in bytes of the first frame that is incomplete, because the file was cut. Null: the file is complete. */
  readonly cutAt: number | null
}
