import { noArguments } from '../../load/engines/intent.ts'
import { defineOperation } from './operation.ts'

export const connect = defineOperation({
  kind: 'connect',
  summary:
    'Open a new connection, with TLS and a login if the URI asks for them, send a `ping`, and close it. The engine "driver" creates a client for it, which opens further connections to watch its servers.',
  needsCollection: false,
  fields: {},
  reply: 'command',
  documentsPerCall: () => undefined,
  compile: () => () => noArguments,
})
