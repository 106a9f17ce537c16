import { z } from 'zod'
import { facts, defineTarget } from './target.ts'

/** The target that connects to a running server, which mongo-perf neither starts nor stops. */
export const existing = defineTarget({
  kind: 'existing',
  summary: 'A running server that mongo-perf did not start.',
  spec: z.strictObject({
    kind: z.literal('existing'),
    uriFrom: z
      .string()
      .regex(
        /^MONGO_PERF_URI(_[A-Z0-9_]+)?$/,
        'Expected the name of a variable: MONGO_PERF_URI or MONGO_PERF_URI_<NAME>',
      )
      .default('MONGO_PERF_URI')
      .describe('Environment variable that holds the URI (never the URI itself). Default: MONGO_PERF_URI.'),
    facts,
  }),
  servers: () => [],
  async start({ uriFrom }, context) {
    // Loaded when a server is reached: it brings the driver, which a spec is checked without.
    const { reachExisting } = await import('./existing/reach-existing.ts')
    const { uri, hosts } = await reachExisting(uriFrom, context)
    return {
      kind: 'existing',
      uri,
      members: hosts.map((host, index) => ({ name: `member${index}`, host, limits: null, directIO: false })),
      commands: [],
      startedByUs: false,
      [Symbol.asyncDispose]: async () => undefined,
    }
  },
})

/** How the command line gives the URIs of named targets. MONGO_PERF_URI is not one: its option replaces every target. */
export const uriOptions = (variables: readonly string[]): string =>
  uriNames(variables)
    .map((name) => `--uri ${name}=mongodb://…`)
    .join(' ')

/** Returns the names of targets that variables give URIs for: "staging" for `MONGO_PERF_URI_STAGING`. */
export const uriNames = (variables: readonly string[]): readonly string[] =>
  variables.flatMap((variable) => /^MONGO_PERF_URI_(.+)$/.exec(variable)?.[1]?.toLowerCase() ?? [])
