import { type LiveEvent } from './live-events.ts'

/** Ten minutes of seconds. */
const maxOfRow = 600

/** An event with its number, from 1. */
export type NumberedEvent = { readonly id: number; readonly event: LiveEvent }

/** What a browser that comes late is sent: the rows that have ended, and the last ten minutes of the one that runs. */
export class Backlog {
  #newestId = 0
  #spec: NumberedEvent[] = []
  #row: NumberedEvent[] = []

  add(event: LiveEvent): NumberedEvent {
    const numbered = { id: ++this.#newestId, event }
    if (event.kind === 'specBegins') this.#spec = []
    if (event.kind === 'specBegins' || event.kind === 'rowBegins') this.#row = []
    if (event.kind === 'specBegins' || event.kind === 'row') this.#spec.push(numbered)
    else {
      this.#row.push(numbered)
      if (this.#row.length > maxOfRow) this.#row.shift()
    }
    return numbered
  }

  /** @param id The newest one that is known already. */
  after(id: number): readonly NumberedEvent[] {
    return [...this.#spec, ...this.#row].filter((one) => one.id > id).toSorted((one, other) => one.id - other.id)
  }
}
