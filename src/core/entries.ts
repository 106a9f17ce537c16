import { codePath } from './package-root.ts'

/** The modules that users import, as `exports` of package.json names them. */
export const publicEntries = [
  'entries/index',
  'entries/report',
  'entries/results',
  'entries/global-setup',
  'entries/testing',
  'entries/jest',
  'entries/vitest',
] as const

/** The modules that Node starts: the program, its threads and its helper processes. */
export const startedEntries = [
  'verdicts/ab/side-process',
  'traffic/replay/side-process',
  'cli/main',
  'core/threads/guard/guard-thread',
  'core/threads/timer-thread',
  'run/threads/thread-main',
  'traffic/replay/replay-thread',
  'micro/task-process',
  'servers/targets/links/proxy-process',
  'servers/targets/server/guardian/guardian',
  'servers/targets/server/programs/download-process',
] as const

export type StartedEntry = (typeof startedEntries)[number]

/** Returns the file of a module that Node starts. */
export const entryPath = (entry: StartedEntry): string => codePath(entry)
