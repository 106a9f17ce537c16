import { isObject } from '../../core/json.ts'
import { value } from '../../language/value-schema.ts'
import { defineOperation, methodCall } from './operation.ts'

/** They only read, answer in one reply, and leave no cursor behind. */
const readingCommands = [
  'ping',
  'hello',
  'isMaster',
  'buildInfo',
  'hostInfo',
  'listCommands',
  'connectionStatus',
  'whatsmyuri',
  'serverStatus',
  'dbStats',
  'collStats',
  'dataSize',
  'count',
  'distinct',
] as const

/** Others change no documents, and only collections in the database of the run. */
export const allowedCommands = [
  ...readingCommands,
  'createIndexes',
  'dropIndexes',
  'createSearchIndexes',
  'dropSearchIndex',
] as const

const isAllowed = (command: unknown): boolean =>
  isObject(command as never) && (allowedCommands as readonly unknown[]).includes(Object.keys(command as object)[0])

export const command = defineOperation({
  kind: 'command',
  summary: 'Run a command on the database, one that changes no documents.',
  needsCollection: false,
  fields: {
    command: value
      .refine(isAllowed, `must be an object whose first key is one of: ${allowedCommands.join(', ')}`)
      .describe(
        `The command as the server takes it, with its name first. Allowed: ${allowedCommands.join(', ')}. The read preference of the phase applies; its read concern does not: write it into the command.`,
      ),
  },
  reply: 'command',
  documentsPerCall: () => undefined,
  compile: (spec, context) => methodCall(spec, ['command'], [], context),
})
