import { codePath } from './package-root.ts'

/** The modules that users import, as `exports` of package.json names them. */
export const publicEntries = [
  'index',
  'report/index',
  'results/index',
  'testing/global-setup',
  'testing/index',
  'testing/jest',
  'testing/vitest',
] as const

/** The modules that Node starts: the program, its threads and its helper processes. */
export const startedEntries = [
  'ab/side-process',
  'cli/main',
  'guard/guard-thread',
  'import/mongo-perf/record-process',
  'load/arrival-timer-thread',
  'load/thread-main',
  'micro/task-process',
  'targets/links/proxy-process',
  'targets/links/timer-thread',
  'targets/server/guardian',
  'targets/server/sources/download-process',
] as const

/** A module that Node starts. */
export type StartedEntry = (typeof startedEntries)[number]

/** Returns the file of a module that Node starts. */
export const entryPath = (entry: StartedEntry): string => codePath(entry)
