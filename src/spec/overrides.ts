import { type Json } from '../json.ts'

/** What the command line changes about a spec. */
export type Overrides = {
  readonly profile?: string | undefined
  readonly set?: Readonly<Record<string, Json>> | undefined
  /** Rows to run: "name=value" or a label. Default: all. */
  readonly only?: readonly string[] | undefined
  /** Run on a server that exists, whatever target the spec names. */
  readonly existing?: boolean | undefined
}
