// A separate file, because importing a type from task-process.ts would run it.
import { type Limits } from './limits.ts'

/** The request to a task process. It is a message, because all users of the machine can read arguments. */
export type TaskRequest = {
  readonly task: string
  readonly limits: Limits
  /** Folder with the specification's own files. Absent: data is generated. */
  readonly dataFolder?: string | undefined
  /** For tasks on a server: its URI, which is a secret, and the name of our database. */
  readonly server?: { readonly uri: string; readonly database: string } | undefined
}

/** The reply of a task process. */
export type TaskAnswer =
  | { readonly kind: 'measured'; readonly bytes: number; readonly seconds: readonly number[] }
  | { readonly kind: 'failed'; readonly reason: string }
