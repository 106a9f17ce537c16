import { type Clock } from '../../../core/clock.ts'
import { readJson } from '../../../core/json.ts'
import { agentChannel, runChannel } from '../keys.ts'
import { agentLost, pong } from '../messages.ts'
import { type AgentLink } from './agent-link.ts'
import { type ClockOffset, clockOffset, type ClockReading } from './clock-offset.ts'

const pings = 12
const pingMs = 2000
/** More answers at once would wait for each other here, and the clocks be known less well. */
const pingedAtOnce = 16

/** The clocks of the agents of a run, as the coordinator knows them. */
export type AgentClocks = {
  /** Asks an agent for its time. @throws {Problem} "agents-unavailable" when it gives no answer, or why it is lost. */
  readonly offsetOf: (link: PingedLink) => Promise<ClockOffset>
  /** Longest round trip to any agent that was asked, in milliseconds. 0 before the first. */
  readonly longestRoundTripMs: () => number
}

/** The commands of Redis that it needs. */
type PingClient = { readonly publish: (channel: string, message: string) => Promise<unknown> }
type PongListener = {
  readonly on: (event: 'message', take: (channel: string, text: string) => void) => unknown
  readonly subscribe: (channel: string) => Promise<unknown>
}

export type ClocksOptions = {
  /** A connection of its own: it only listens. */
  readonly listener: PongListener
  readonly client: PingClient
  readonly run: string
  readonly clock: Clock
}

/** Listens for the answers of agents that are asked for their time. */
export async function watchClocks({ listener, client, run, clock }: ClocksOptions): Promise<AgentClocks> {
  const pongs = await listenForPongs(listener, run, clock)
  const inTurn = inTurns(pingedAtOnce)
  let longestRoundTripMs = 0

  async function ask(link: PingedLink): Promise<ClockOffset> {
    const readings: ClockReading[] = []
    for (let i = 0; i < pings && !link.lost.aborted; i++) {
      const reading = await pongs.ping(link, client)
      if (reading !== undefined) readings.push(reading)
    }
    link.lost.throwIfAborted()
    if (readings.length === 0) throw agentLost(link.name, 'does not answer')
    const offset = clockOffset(readings)
    longestRoundTripMs = Math.max(longestRoundTripMs, offset.roundTripMs)
    return offset
  }

  return { offsetOf: (link) => inTurn(() => ask(link)), longestRoundTripMs: () => longestRoundTripMs }
}

type PingedLink = Pick<AgentLink, 'agent' | 'name' | 'lost'>
type Pongs = { readonly ping: (link: PingedLink, client: PingClient) => Promise<ClockReading | undefined> }

async function listenForPongs(listener: PongListener, run: string, clock: Clock): Promise<Pongs> {
  const waiting = new Map<string, (reading: ClockReading) => void>()
  const asked = new Map<string, number>()
  let number = 0
  listener.on('message', (_channel: string, text: string) => {
    const answeredMs = clock.now()
    const wallMs = clock.date().getTime()
    const parsed = pong.safeParse(readJson(text))
    if (!parsed.success) return
    const key = `${parsed.data.agent} ${parsed.data.number}`
    const askedMs = asked.get(key)
    if (askedMs === undefined) return
    const { processMs, wallMs: theirs } = parsed.data
    waiting.get(key)?.({ askedMs, answeredMs, shownMs: processMs, wallAheadMs: theirs - wallMs })
  })
  await listener.subscribe(runChannel(run))
  return {
    async ping({ agent: { id }, lost }, client) {
      number += 1
      const key = `${id} ${number}`
      const giveUp = new AbortController()
      try {
        const reading = new Promise<ClockReading>((resolve) => waiting.set(key, resolve))
        asked.set(key, clock.now())
        // While Redis is gone, it waits.
        client.publish(agentChannel(id), JSON.stringify({ kind: 'ping', run, number })).catch(() => undefined)
        const silence = clock.sleep(pingMs, AbortSignal.any([giveUp.signal, lost]))
        return await Promise.race([reading, silence.then(() => undefined)])
      } finally {
        giveUp.abort()
        waiting.delete(key)
        asked.delete(key)
      }
    },
  }
}

/** Runs actions, with a maximum of actions under way at once; the others wait, in their order. */
export function inTurns(atOnce: number): <Value>(act: () => Promise<Value>) => Promise<Value> {
  const waiting: (() => void)[] = []
  let free = atOnce

  async function begin(): Promise<void> {
    if (free === 0) return await new Promise((resolve) => waiting.push(resolve))
    free -= 1
  }

  function end(): void {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }

  return async (act) => {
    await begin()
    try {
      return await act()
    } finally {
      end()
    }
  }
}
