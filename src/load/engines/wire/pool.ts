import { type NamedArguments } from '../intent.ts'
import { type Exchange } from './exchange.ts'
import { Lane, type LaneContext, type LaneDone } from './lane.ts'
import { type SessionFields } from './message.ts'

/** Lanes to the members that one kind of calls goes to: as many as there are calls at the same time. */
export type Pool = {
  /** As `send` of a lane that is free. */
  readonly send: (
    createExchange: () => Exchange,
    args: NamedArguments,
    session: SessionFields | undefined,
    done: LaneDone,
  ) => void
  /** Resolves when so many connections stand ready. @throws what opening a connection throws. */
  readonly open: (connections: number) => Promise<void>
  readonly lanes: readonly Lane[]
}

/** Connections that are opened at the same time: a server takes their logins one after the other. */
const maxOpening = 32

/** Creates a pool without a connection. */
export function createPool(context: Omit<LaneContext, 'release'>): Pool {
  const lanes: Lane[] = []
  // The one that was used last is taken first: its memory is still in the cache.
  const idle: Lane[] = []
  const withRelease: LaneContext = { ...context, release: (lane) => void idle.push(lane) }

  function addLane(): Lane {
    const lane = new Lane(withRelease)
    lanes.push(lane)
    return lane
  }

  return {
    lanes,
    send: (createExchange, args, session, done) => (idle.pop() ?? addLane()).send(createExchange, args, session, done),
    async open(connections) {
      while (lanes.length < connections) idle.push(addLane())
      const closed = lanes.filter((lane) => !lane.isOpen && !lane.isBusy)[Symbol.iterator]()
      const openSome = async (): Promise<void> => {
        for (const lane of closed) await lane.open()
      }
      await Promise.all(Array.from({ length: maxOpening }, openSome))
    },
  }
}
