import { AsyncLocalStorage } from 'node:async_hooks'
import { Problem, withHints } from '../../../core/errors.ts'
import type { CommandClient, MonitoredCommand } from '../../../load/engines/watch-commands.ts'
import { findShape } from '../../../protocol/bson/command-shape.ts'
import { addAtEnd, printAtEnd } from '../runner-output.ts'
import { explainCommand, explained, notReporting } from '../sent.ts'
import { type Subject, resolveClient } from '../work/subject.ts'
import { type WatchLimits, type WatchOptions, validateWatchOptions } from './options.ts'
import type { TestBody, TestRunner } from './runners.ts'
import { toShapeLine } from './summary.ts'
import { type SentQueries, type WatchedShape, examinedBy, findFault, readApplicationStack } from './test-queries.ts'

/** The queries of a test. One that is tried again begins with none. */
type WatchedTest = {
  readonly sent: Map<WatchedShape, SentQueries & { readonly client: CommandClient }>
  /** Clients that took a connection and have never reported a command. */
  readonly silent: Set<ClientWatch>
}

/** The test that runs. Work that was begun outside of tests belongs to none. */
const running = new AsyncLocalStorage<WatchedTest>()

class ClientWatch {
  limits: WatchLimits
  readonly shapes = new Map<string, WatchedShape>()
  isReporting = false
  readonly #client: CommandClient

  constructor(client: CommandClient, limits: WatchLimits) {
    this.#client = client
    this.limits = limits
    // Counts for connections that are opened from now on.
    client.monitorCommands = true
    client.on('commandStarted', this.#count)
    client.on('connectionCheckOutStarted', () => void (this.isReporting || running.getStore()?.silent.add(this)))
  }

  readonly #count = (event: MonitoredCommand): void => {
    this.isReporting = true
    const test = running.getStore()
    if (test === undefined || !explained.has(event.commandName) || opensChangeStream(event)) return
    const shape = this.#findShape(event)
    const sent = test.sent.get(shape) ?? this.#begin(shape, test, event)
    sent.count += 1
    if (sent.count === sent.limits.repeats + 1) sent.stack = readApplicationStack(this.#count)
  }

  #findShape({ databaseName: database, commandName: name, command }: MonitoredCommand): WatchedShape {
    const found = findShape({ database, name, command })
    const known = this.shapes.get(found.text)
    if (known !== undefined) return known
    const stack = readApplicationStack(this.#count)
    const counts = { queries: 0, tests: 0, examined: 0, plan: undefined }
    const shape = { name: found.name, isFiltered: found.keys.length > 0, stack, ...counts }
    this.shapes.set(found.text, shape)
    return shape
  }

  #begin(shape: WatchedShape, test: WatchedTest, first: MonitoredCommand) {
    const sent = { shape, limits: this.limits, first, client: this.#client, count: 0, stack: [] }
    test.sent.set(shape, sent)
    return sent
  }
}

const opensChangeStream = ({ command: { pipeline } }: MonitoredCommand): boolean =>
  Array.isArray(pipeline) && typeof pipeline[0] === 'object' && pipeline[0] !== null && '$changeStream' in pipeline[0]

/**
 * Asks the server for the plans of the queries of a test: of each shape once, and again as long as it uses no index, because its collection may
 * have grown.
 */
async function explainQueries({ sent }: WatchedTest): Promise<void> {
  for (const { shape, client, first, count } of sent.values()) {
    shape.queries += count
    shape.tests += 1
    const usesIndex = shape.plan?.scansCollection === false && shape.plan.indexes.length > 0
    // A command would connect a client again that the test has closed.
    if (!usesIndex && client.topology !== undefined)
      shape.plan = (await explainCommand(client, first)).plan ?? undefined
    shape.examined += count * examinedBy(shape.plan)
  }
}

const watches = new WeakMap<CommandClient, ClientWatch>()
/** Watches of this test file. */
const active = new Set<ClientWatch>()
/** A runner that tries a test again has its wrapped body. */
const wrapped = new WeakSet<TestBody>()

/** Watches the queries of a client in all tests of a runner. A client that is watched already gets the new limits. */
export const watchQueriesIn = withHints((runner: TestRunner, subject: Subject, options: WatchOptions): void => {
  const limits = validateWatchOptions(options)
  const client = resolveClient(subject)
  const watch = watches.get(client) ?? new ClientWatch(client, limits)
  watch.limits = limits
  watches.set(client, watch)
  active.add(watch)
  runner.watchTests(wrapTest)
  runner.atEnd(printQueries)
})

/** Makes a test fail where one of its queries breaks a limit. Its hooks, and what they send, are not a part of it. */
function wrapTest(name: string, body: TestBody): TestBody {
  if (wrapped.has(body)) return body
  const watched: TestBody = function (this: unknown, ...args) {
    const test: WatchedTest = { sent: new Map(), silent: new Set() }
    const done = args.at(-1)
    if (typeof done !== 'function' || args.length !== body.length)
      return running.run(test, async () => {
        const result = await body.apply(this, args)
        await judgeTest(test, name)
        return result
      })
    const end = (error?: unknown): void => {
      if (error === undefined || error === null)
        void judgeTest(test, name).then(
          () => done() as unknown,
          (fault: unknown) => done(fault) as unknown,
        )
      else done(error)
    }
    return running.run(test, () => body.call(this, ...args.slice(0, -1), end))
  }
  wrapped.add(watched)
  // Runners pass a callback to functions that take one.
  return Object.defineProperty(watched, 'length', { value: body.length })
}

const judgeTest = withHints(async (test: WatchedTest, name: string): Promise<void> => {
  if ([...test.silent].some(({ isReporting }) => !isReporting))
    throw new Problem('usage', `watchQueries saw no queries of this test: ${notReporting.reason}`, notReporting)
  await explainQueries(test)
  const fault = findFault([...test.sent.values()], name)
  if (fault !== undefined) throw fault
})

function printQueries(): void {
  for (const { shapes } of active) {
    for (const shape of shapes.values()) if (shape.tests > 0) addAtEnd({ shape: toShapeLine(shape) })
    shapes.clear()
  }
  active.clear()
  printAtEnd()
}
