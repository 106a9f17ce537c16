/** The pattern of words for servers. */
const servers = '^(?:(?<set>shard\\d+|config)\\/)?(?<role>primary|secondary|secondaries|minority|any|all|member\\d+)$'

const field = 'must be the name of a field, or a dotted path to one, such as "address.city"'

/** Messages of editors about a text that does not match a pattern, by the pattern, or by its format. */
export const patternMessages: Readonly<Record<string, string>> = {
  '^[a-z0-9][a-z0-9-]*$': 'must be small letters, digits and hyphens, with no hyphen first',
  '^(?!@)': 'an expression is an object with one key, which begins with "@"',
  '^@': 'an expression is an object with one key, which begins with "@"',
  '^-?\\d{1,19}$': 'must be a whole number in quotes, of at most 19 digits',
  '^-?\\d{1,16}$': 'must be a whole number in quotes, of at most 16 digits',
  '^\\d+$': 'must be a whole number of at least 0',
  'date-time': 'must be a date of ISO 8601, such as "2026-01-01T00:00:00Z"',
  '^[^$.\\0][^.\\0]*(\\.[^$.\\0][^.\\0]*)*$': field,
  '^(?!create$)[A-Za-z]\\w*$': 'must be the name of an option of `create`',
  '^(fullDocument|fullDocumentBeforeChange|showExpandedEvents|batchSize|collation|comment)$':
    'must be the name of an option of a change stream',
  '^(times|skip|activationProbability)$': 'must be times, skip or activationProbability',
  '^[A-Za-z_][\\w]*(\\.[A-Za-z_][\\w]*)*$': field,
  '^MONGO_PERF_URI(_[A-Z0-9_]+)?$': 'must be MONGO_PERF_URI, or begin with MONGO_PERF_URI_, in capitals',
  '^\\d+\\.\\d+(\\.\\d+)?$': 'must be a version, such as "6.0" or "8.0.4"',
  '^[A-Za-z][\\w.]*$': 'must be the name of a server parameter',
  '^[A-Za-z][\\w-]*$': 'must begin with a letter; letters, digits, "_" and "-" may follow',
  '^[A-Za-z]\\w*$': 'must begin with a letter; letters, digits and "_" may follow',
  '^[a-z]\\w*$': 'must begin with a small letter; letters, digits and "_" may follow',
  '^[A-Za-z_][\\w.-]{0,99}$':
    'must begin with a letter or "_"; letters, digits, "_", "." and "-" may follow, up to 100 characters',
  '^(?!system\\.)[^$\\0]+$': 'must not begin with "system." or hold a "$"',
  [servers]:
    'must be primary, secondary, secondaries, minority, any, all or a member such as member0; in a sharded cluster with its set before, such as shard0/primary',
}

/** Texts that editors offer where a pattern stands. */
export const patternExamples: Readonly<Record<string, readonly string[]>> = {
  [servers]: ['primary', 'secondary', 'secondaries', 'minority', 'any', 'all', 'member0'],
}
