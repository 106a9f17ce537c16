import { z } from 'zod'
import { valuesModes } from './values-modes.ts'

/** The header as it is in the file. */
export const headerSchema = z.object({
  /** When it began, as ISO 8601. */
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

/** The facts about a recording that are known when it begins. */
export type RecordingHeader = Readonly<z.infer<typeof headerSchema>>

/** The calls that were left out, as they are in the file. */
export const leftOutSchema = z.record(z.string(), z.number())

/** The calls that a recording does not have, by reason in words ("handshakes"), with the number of calls or messages. */
export type LeftOut = Readonly<Record<string, number>>

/** How a recording ended. */
export type RecordingEnd = {
  /** Number of calls that were read. */
  readonly calls: number
  /** In µs, to the end of the recording; of one that was cut, to the end of its last call. */
  readonly durationUs: number
  readonly leftOut: LeftOut
  /** Offset in bytes from where on nothing can be read, because the file ends in the middle. Null: it is whole. */
  readonly cutAt: number | null
}
