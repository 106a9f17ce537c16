import { type Command } from 'commander'
import { Problem } from '../errors.ts'
import { type Json } from '../json.ts'
import { type Overrides } from '../spec/overrides.ts'
import { type GuardedWord, guardedWords, isGuarded } from '../values/keys.ts'

/** Options that change a spec, for every command that reads one. */
export function withSpecOptions(command: Command): Command {
  return command
    .option('--profile <name>', 'use the parameters of a profile of the spec')
    .option('--set <name=value>', 'set a parameter (repeatable)', collect)
    .option('--only <row>', 'run only rows with "name=value" or with this label (repeatable, to narrow)', collect)
    .option('--threshold <text>', 'what must hold, such as "findOne.p99Ms < 5" (repeatable)', collect)
    .option('--abort-on-threshold', 'end the run with the first row that misses a threshold')
    .option(
      '--allow-writes <db.collection>',
      'allow writes to a collection that mongo-perf did not make (repeatable)',
      collect,
    )
    .option(
      '--allow <word>',
      'allow what a spec lists in its "allow", such as \'$where\', in quotes (repeatable)',
      collect,
    )
    .option('--allow-step-down', 'allow a `stepDown` fault on a server that mongo-perf did not start')
}

export const collect = (value: string, earlier: readonly string[] = []): readonly string[] => [...earlier, value]

export type SpecFlags = {
  readonly profile?: string
  readonly set?: readonly string[]
  readonly only?: readonly string[]
  readonly threshold?: readonly string[]
  readonly abortOnThreshold?: boolean
  readonly allowWrites?: readonly string[]
  readonly allow?: readonly string[]
  readonly allowStepDown?: boolean
}

export function overridesOf(flags: SpecFlags): Overrides {
  const {
    profile,
    set = [],
    only = [],
    threshold: thresholds = [],
    abortOnThreshold,
    allowWrites = [],
    allow = [],
    allowStepDown,
  } = flags
  return {
    profile,
    only,
    thresholds,
    abortOnThreshold,
    allowWrites,
    allowStepDown,
    allow: allow.map(parseWord),
    set: Object.fromEntries(set.map(parseSetting)),
  }
}

/** A shell takes a word without quotes for a variable, and hands on what that holds. */
function parseWord(word: string): GuardedWord {
  if (isGuarded(word)) return word
  throw new Problem('usage', `--allow takes one of ${guardedWords.join(', ')}, not "${word}"`, {
    hint: "Put the word in single quotes: --allow '$where'.",
  })
}

/** A value is JSON where it reads as such, else a text. */
function parseSetting(text: string): readonly [string, Json] {
  const cut = text.indexOf('=')
  if (cut < 1)
    throw new Problem('usage', `--set ${text} does not name a parameter and a value`, {
      hint: 'Write --set documents=1000.',
    })
  const value = text.slice(cut + 1)
  try {
    return [text.slice(0, cut), JSON.parse(value) as Json]
  } catch {
    return [text.slice(0, cut), value]
  }
}
