import { expect, test } from 'vitest'
import { refuseOtherWriteConcern } from '../../src/micro/use-server.ts'

test.each(['w=majority', 'journal=true', 'w=1&wtimeoutMS=500'])('%s of a URI is refused by name', (options) => {
  const option = options.replace('w=1&', '').toLowerCase()
  expect(() => refuseOtherWriteConcern(`mongodb://127.0.0.1/?${options}`)).toSay('micro-write-concern', { option })
})

test.each([undefined, 'mongodb://127.0.0.1', 'mongodb://127.0.0.1/?w=1&readPreference=nearest'])(
  '%s is accepted',
  (uri) => expect(() => refuseOtherWriteConcern(uri)).not.toThrow(),
)
