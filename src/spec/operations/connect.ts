import { noArguments } from '../../load/engines/intent.ts'
import { defineOperation } from './operation.ts'

export const connect = defineOperation({
  kind: 'connect',
  summary:
    'Open a connection of its own, with TLS and a login where the URI asks for them, send a `ping`, and close it. The engine "driver" does so with a client of its own, which watches its servers over connections of their own.',
  needsCollection: false,
  fields: {},
  reply: 'command',
  documentsPerCall: () => undefined,
  compile: () => () => noArguments,
})
