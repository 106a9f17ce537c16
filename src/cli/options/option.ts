import { type Command, Option } from 'commander'

/** An option whose type has its name, and what a command gets of it. */
export type TypedOption<Name extends string, Value> = Option & { readonly typed?: readonly [Name, Value] }

/** Parses an argument. `earlier`: what was made of the one before it, where the option is repeated. */
type Parse<Value> = (text: string, earlier?: Value) => Value

/** How an option is read. Each setting does what the method of commander with its name does. */
type Settings<Value, Default> = {
  readonly parse?: Parse<Value>
  readonly choices?: readonly Value[]
  readonly default?: Default
  /** The default as help shows it. Default: the default itself. */
  readonly defaultText?: string
  readonly conflicts?: readonly string[]
  readonly env?: string
}

/** Declares an option as commander writes it, such as "--allow-index <db.coll>". @param given Its settings, or only how it is parsed. */
export function option<
  const Usage extends string,
  const Value = Argument<Usage>,
  const Default extends Value | undefined = undefined,
>(
  usage: Usage,
  text: string,
  given: Settings<Value, Default> | Parse<Value> = {},
): TypedOption<NameIn<Usage>, Default extends undefined ? IfNotGiven<Usage, Value> : Value> {
  const settings: Settings<Value, Default> = typeof given === 'function' ? { parse: given } : given
  const made = new Option(usage, text).default(settings.default, settings.defaultText)
  if (settings.parse) made.argParser<Value | undefined>(settings.parse)
  if (settings.choices) made.choices(settings.choices as readonly string[])
  if (settings.env) made.env(settings.env)
  return made.conflicts([...(settings.conflicts ?? [])])
}

/** Collects the arguments of a repeatable option. */
export const collect = (text: string, earlier: readonly string[] = []): readonly string[] => [...earlier, text]

export const addOptions = (command: Command, options: readonly Option[]): Command =>
  options.reduce((all, one) => all.addOption(one), command)

/** Finds the first of these options that is given, as users write it: "--allow-index". */
export function findGiven<const Name extends string>(
  names: readonly Name[],
  flags: Readonly<Partial<Record<Name, unknown>>>,
): string | undefined {
  const given = names.find((name) => flags[name] !== undefined)
  return given && `--${given.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

type Argument<Usage> = Usage extends `${string}<${string}`
  ? string
  : Usage extends `${string}[${string}`
    ? string | true
    : boolean

/** A negated option is there in any case: it is true until it is given. */
type IfNotGiven<Usage, Value> = Usage extends `--no-${string}` ? Value : Value | undefined

type NameIn<Usage extends string> = Usage extends `${string}--no-${infer Name}`
  ? Camel<Name>
  : Usage extends `${string}--${infer Name} ${string}`
    ? Camel<Name>
    : Usage extends `${string}--${infer Name}`
      ? Camel<Name>
      : never

type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name

/** The values that a command gets of its options, by their names. */
export type Flags<Options extends readonly TypedOption<string, unknown>[]> = {
  readonly [One in Options[number] as NameOf<One, true>]?: Exclude<ValueOf<One>, undefined>
} & { readonly [One in Options[number] as NameOf<One, false>]: ValueOf<One> }

type ValueOf<One> = One extends TypedOption<string, infer Value> ? Value : never

/** The name of an option that may be missing, or of one that may not. */
type NameOf<One, Missing extends boolean> =
  One extends TypedOption<infer Name, infer Value>
    ? (undefined extends Value ? true : false) extends Missing
      ? Name
      : never
    : never
