import { type Sample, type SourceName } from './sample.ts'

/** How one question to a server went. */
export type Poll = { readonly ms: number; readonly bytes: number; readonly ok: boolean }

/** Everything that was gathered about one member over one window. */
export type Observation = {
  readonly member: string
  /** In the window, and just before and after it. */
  readonly samples: readonly Sample[]
  readonly polls: readonly Poll[]
  /** The window's edges by the clock of the server; null where the server did not answer at that moment. */
  readonly startMs: number | null
  readonly endMs: number | null
  /** Length of the window by our own clock. */
  readonly durationMs: number
  /** Why a source had nothing to tell. */
  readonly trouble: Readonly<Partial<Record<SourceName, string>>>
}

/** The window by the server's clock. An edge that was missed follows from the other one; without any there is no window. */
export function windowOf({
  startMs,
  endMs,
  durationMs,
}: Observation): { readonly fromMs: number; readonly toMs: number } | null {
  if (startMs !== null) return { fromMs: startMs, toMs: endMs ?? startMs + durationMs }
  return endMs === null ? null : { fromMs: endMs - durationMs, toMs: endMs }
}
