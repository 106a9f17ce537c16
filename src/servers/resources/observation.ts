import { type Sample, type SourceName } from './sample.ts'

/** The outcome of one command to a server. */
export type Poll = { readonly ms: number; readonly bytes: number; readonly ok: boolean }

/** Everything that was collected about one member in one window. */
export type Observation = {
  readonly member: string
  /** Samples in the window, and just before and after it. */
  readonly samples: readonly Sample[]
  readonly polls: readonly Poll[]
  /** Start and end of the window by the server's clock. Null where the server did not answer. */
  readonly startMs: number | null
  readonly endMs: number | null
  /** Length of the window by the client's clock. */
  readonly durationMs: number
  /** Why a source returned no data. */
  readonly trouble: Readonly<Partial<Record<SourceName, string>>>
}

/** The window by the server's clock. A missing end is computed from the other one. Null where both are missing. */
export function computeWindow({
  startMs,
  endMs,
  durationMs,
}: Observation): { readonly fromMs: number; readonly toMs: number } | null {
  if (startMs !== null) return { fromMs: startMs, toMs: endMs ?? startMs + durationMs }
  return endMs === null ? null : { fromMs: endMs - durationMs, toMs: endMs }
}
