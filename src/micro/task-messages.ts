// In a file of its own: an import of a type alone still runs the file it comes from, and the task process works when it is run.
import { type Limits } from './limits.ts'

/** What a task process is told. By message and not as arguments, which everybody on the machine can read. */
export type TaskRequest = {
  readonly task: string
  readonly limits: Limits
  /** Folder with the specification's own files. Absent: data is generated. */
  readonly dataFolder?: string | undefined
  /** For tasks on a server: a secret, and the name of a database of ours. */
  readonly server?: { readonly uri: string; readonly database: string } | undefined
}

/** What it answers, once. */
export type TaskAnswer =
  | { readonly kind: 'measured'; readonly bytes: number; readonly seconds: readonly number[] }
  | { readonly kind: 'failed'; readonly reason: string }
