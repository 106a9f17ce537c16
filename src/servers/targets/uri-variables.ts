/** How the command line gives the URIs of named targets. MONGO_PERF_URI is not one: its option replaces every target. */
export const uriOptions = (variables: readonly string[]): string =>
  uriNames(variables)
    .map((name) => `--uri ${name}=mongodb://…`)
    .join(' ')

/** Returns the names of targets that variables give URIs for: "staging" for `MONGO_PERF_URI_STAGING`. */
export const uriNames = (variables: readonly string[]): readonly string[] =>
  variables.flatMap((variable) => /^MONGO_PERF_URI_(.+)$/.exec(variable)?.[1]?.toLowerCase() ?? [])
