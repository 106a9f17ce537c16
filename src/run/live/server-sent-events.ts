import { type LiveEvent } from './live-events.ts'

/** An event as a browser takes it: its kind is the name of the event, its text the JSON of the whole. */
export const serverSentEvent = (event: LiveEvent, id: number): string =>
  `id: ${id}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`

/** After so many milliseconds a browser asks again when its connection is lost. */
export const retryAfter = (ms: number): string => `retry: ${ms}\n\n`
