import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Clock } from '../../core/clock.ts'
import { closeServer, isOwnHost, listenOn, ownHost } from './listen.ts'
import { type LiveEvent, type LiveListener } from './live-events.ts'

/** Page that `--live` serves, made from the result so far: before the first row, after each row, and at the end. */
export type LivePage = {
  /** The page, which listens to "events" and reads "data.json", both relative to its own address. */
  readonly html: () => string
  /** The text of "data.json": JSON. */
  readonly data: () => string
}

/** A server that shows a run to browsers of this machine. */
export type LiveServer = {
  /** Holds the token: who has it may look. */
  readonly url: string
  readonly publish: LiveListener
  /** Sets the page to show from now on. Rendered at once, so that a browser that comes in a phase takes no time from its load. */
  readonly show: (page: LivePage) => void
  /** Gives browsers a second to read the end, where there are any. */
  readonly close: () => Promise<void>
}

const retryMs = 1000
const graceMs = 1000
/** A browser that reads slower than the run goes must not fill the memory. */
const maxUnreadBytes = 2 ** 20

const headers = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // The address holds the token.
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
}

/**
 * Starts to serve on 127.0.0.1, at a path that starts with a random token: the page, "data.json" and "events".
 * @param port 0: any free one.
 * @throws {Problem} "usage" when the port is in use.
 */
export async function startLiveServer({
  port,
  clock,
}: {
  readonly port: number
  readonly clock: Pick<Clock, 'sleep'>
}): Promise<LiveServer> {
  const token = randomBytes(24).toString('base64url')
  const backlog = new Backlog()
  const subscribers = new Set<ServerResponse>()
  let shown: { readonly html: string; readonly data: string } | undefined

  function subscribe(request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200, { ...headers, 'Content-Type': 'text/event-stream; charset=utf-8' })
    const known = Number(request.headers['last-event-id'] ?? 0)
    const missed = backlog.after(Number.isSafeInteger(known) ? known : 0)
    response.write(retryAfter(retryMs) + missed.map(({ event, id }) => serverSentEvent(event, id)).join(''))
    subscribers.add(response)
    response.on('close', () => subscribers.delete(response))
  }

  function sendShown(response: ServerResponse, what: 'html' | 'data', type: string): void {
    if (shown === undefined) sendText(response, 503)
    else send(response, 200, type, shown[what])
  }

  const routes = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>([
    ['', (_, response) => sendShown(response, 'html', 'text/html; charset=utf-8')],
    ['data.json', (_, response) => sendShown(response, 'data', 'application/json; charset=utf-8')],
    ['events', subscribe],
  ])

  const server = createServer((request, response) => {
    if (request.method !== 'GET') {
      response.setHeader('Allow', 'GET')
      return sendText(response, 405)
    }
    // Another site may have its name point here; a browser then sends that name.
    if (!isOwnHost(request.headers.host, boundPort)) return sendText(response, 403)
    const [path = ''] = (request.url ?? '').split('?')
    const [, given = '', ...rest] = path.split('/')
    const route = isSame(given, token) && rest.length > 0 ? routes.get(rest.join('/')) : undefined
    if (route === undefined) return sendText(response, 404)
    route(request, response)
  })
  const boundPort = await listenOn(server, { host: ownHost, port }, '--live')

  return {
    url: `http://${ownHost}:${boundPort}/${token}/`,
    publish(event) {
      const { id } = backlog.add(event)
      if (subscribers.size === 0) return
      const text = serverSentEvent(event, id)
      for (const response of subscribers) {
        if (response.writableLength > maxUnreadBytes) response.destroy()
        else response.write(text)
      }
    },
    show: (page) => void (shown = { html: page.html(), data: page.data() }),
    async close() {
      if (subscribers.size > 0) await clock.sleep(graceMs)
      for (const response of subscribers) response.end()
      await closeServer(server)
    },
  }
}

/** Compares in a time that does not depend on where they differ. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

const texts = { 403: 'Forbidden', 404: 'Not found', 405: 'Method not allowed', 503: 'The run has not begun: try again' }

const sendText = (response: ServerResponse, status: keyof typeof texts): void =>
  send(response, status, 'text/plain; charset=utf-8', `${texts[status]}\n`)

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { ...headers, 'Content-Type': type })
  response.end(text)
}

/** An event as a browser takes it: its kind is the name of the event, its text the JSON of the whole. */
const serverSentEvent = (event: LiveEvent, id: number): string =>
  `id: ${id}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`

/** Milliseconds after which a browser asks again when its connection is lost. */
const retryAfter = (ms: number): string => `retry: ${ms}\n\n`

/** Ten minutes of seconds. */
const maxOfRow = 600

/** An event with its number, from 1. */
type NumberedEvent = { readonly id: number; readonly event: LiveEvent }

/** Events for a browser that comes late: the rows that have ended, and the last ten minutes of the one that runs. */
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
