import { type CommandStartedEvent, type Document, type MongoClient, type ReadPreference } from 'mongodb'
import { type Clock } from '../../../core/clock.ts'
import { type ConnectionSettings, readAddress, settingsOfClient } from '../../../protocol/wire/settings.ts'
import { namedError } from './replies/write-reply.ts'

/** Between two questions while a set has no primary. */
const retryMs = 20

/** Finds the members that calls go to. */
export type Members = Disposable & {
  /** @throws what the driver throws where it finds none in time. */
  readonly find: (readPreference: ReadPreference) => Promise<ConnectionSettings>
}

/**
 * The driver knows the servers and chooses among them by the read preference: a command is sent through it, and the event of
 * its start says where it went.
 * @param client Monitors its commands, and is used for nothing else.
 * @param withinMs After that no member is looked for any more.
 * @param require Throws where calls cannot go to the server that replied so to `hello`. Default: they can go to any.
 */
export function createMembers(
  client: MongoClient,
  clock: Clock,
  withinMs: number,
  require: (hello: Document) => void = () => {},
): Members {
  const settings = new Map<string, Promise<ConnectionSettings>>()
  const addresses = new Map<unknown, string>()
  const { directConnection } = client.options
  let questions = 0
  const note = ({ command, address }: CommandStartedEvent): void => {
    if (command['hello'] === 1) addresses.set(command['comment'], address)
  }
  client.on('commandStarted', note)

  /** @returns the address of the member, unless it is not one to send to. */
  async function ask(readPreference: ReadPreference): Promise<string | undefined> {
    const question = ++questions
    try {
      const reply = await client.db('admin').command({ hello: 1, comment: question }, { readPreference })
      require(reply)
      return directConnection || suits(reply, readPreference) ? addressOf(addresses.get(question), reply) : undefined
    } catch (error) {
      if (wasLost(error)) return undefined
      throw error
    } finally {
      addresses.delete(question)
    }
  }

  /** The driver gives connections to Unix sockets names of chance: a member names itself, and what stands alone is in the URI. */
  function addressOf(asked: string | undefined, { me }: Document): string | undefined {
    if (asked === undefined || asked.includes(':')) return asked
    return directConnection || typeof me !== 'string' ? String(client.options.hosts[0]) : me
  }

  function settingsOf(address: string): Promise<ConnectionSettings> {
    let known = settings.get(address)
    if (known === undefined) settings.set(address, (known = settingsOfClient(client.options, toHost(address))))
    return known
  }

  return {
    async find(readPreference) {
      const untilMs = clock.now() + withinMs
      for (;;) {
        const address = await ask(readPreference)
        if (address !== undefined) return await settingsOf(address)
        if (clock.now() > untilMs)
          throw namedError(
            'MongoServerSelectionError',
            `No member that can take operations was found within ${withinMs / 1000} s`,
          )
        await clock.sleep(retryMs)
      }
    },
    [Symbol.dispose]: () => void client.off('commandStarted', note),
  }
}

function toHost(address: string): Parameters<typeof settingsOfClient>[1] {
  const read = readAddress(address)
  return 'path' in read ? { socketPath: read.path } : read
}

/** Until the driver has noticed, it sends to a member that is no primary any more. */
const suits = (reply: Document, { mode }: ReadPreference): boolean =>
  mode !== 'primary' || reply['isWritablePrimary'] === true

/** The driver looks for the servers anew after that. */
const wasLost = (error: unknown): boolean =>
  error instanceof Error &&
  ['MongoNetworkError', 'MongoNetworkTimeoutError', 'MongoPoolClearedError'].includes(error.name)
