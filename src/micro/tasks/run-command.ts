import { manyTimes } from '../repeat.ts'
import { type MicroTask } from '../task.ts'

/** Size of {hello: true} as BSON. */
const commandBytes = 13

/** Runs the command `hello` repeatedly. */
export const runCommand: MicroTask = {
  name: 'run-command',
  title: 'Run command',
  group: 'single',
  countsIn: [],
  data: [],
  on: 'server',
  prepare: async ({ db }) => ({
    bytes: commandBytes * manyTimes,
    async iterate() {
      for (let i = 0; i < manyTimes; i++) await db.command({ hello: true })
    },
  }),
}
