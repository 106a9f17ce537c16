import { type Json, type JsonObject, type Path } from '../../core/json.ts'
import { type JsonSchema, type JsonType } from './json-schema.ts'
import { beyond, describeMismatch, wrongForm, wrongType } from './value-wording.ts'

/** Why a value does not fit a schema. */
export type SchemaIssue = { readonly path: Path; readonly reason: string }

/** Result of reading: the value with defaults and without unknown keys, or what is wrong with it. */
export type Reading<Value> = { readonly value: Value } | { readonly issues: readonly SchemaIssue[] }

export type Reader<Value> = (value: unknown) => Reading<Value>

/** Formats of texts that no pattern describes: whether a text has the format, by its name. */
export type Formats = Readonly<Record<string, (text: string) => boolean>>

/**
 * A reader of what a schema accepts. It reads as the zod schema does that the schema was written from: loading zod would cost more than reading.
 * @typeParam Value The output of that zod schema.
 */
export function createSchemaReader<Value>(schema: JsonSchema, formats: Formats = {}): Reader<Value> {
  const read = new Compiler(schema.$defs ?? {}, formats).compile(schema)
  return (value) => {
    const issues: SchemaIssue[] = []
    const made = read(value, null, issues)
    return issues.length === 0 ? { value: made as Value } : { issues }
  }
}

/** A place in a value. Its path is made only for issues. */
type JsonPath = { readonly around: JsonPath | null; readonly step: string | number } | null

/** Returns what was read, and adds what is wrong. */
type Read = (value: unknown, jsonPath: JsonPath, issues: SchemaIssue[]) => unknown

const kinds = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const
type Kind = (typeof kinds)[number]

class Compiler {
  readonly #definitions: Readonly<Record<string, JsonSchema>>
  readonly #formats: Formats
  readonly #compiled = new Map<string, Read>()

  constructor(definitions: Readonly<Record<string, JsonSchema>>, formats: Formats) {
    this.#definitions = definitions
    this.#formats = formats
  }

  compile(schema: JsonSchema): Read {
    const { $ref, anyOf, oneOf: options = anyOf } = schema
    // Compiled when it is first read: a definition may contain itself.
    if ($ref !== undefined) return (value, jsonPath, issues) => this.#definition($ref)(value, jsonPath, issues)
    return options === undefined ? this.#single(schema) : this.#union(options)
  }

  #definition(reference: string): Read {
    const read = this.#compiled.get(reference) ?? this.compile(this.#definedAs(reference))
    this.#compiled.set(reference, read)
    return read
  }

  #definedAs(reference: string): JsonSchema {
    const definition = this.#definitions[reference.replace('#/$defs/', '')]
    if (definition === undefined) throw new Error(`The schema has no ${reference}`)
    return definition
  }

  #typesOf({ $ref, anyOf, oneOf = anyOf, type = kinds }: JsonSchema): readonly JsonType[] {
    if ($ref !== undefined) return this.#typesOf(this.#definedAs($ref))
    if (oneOf !== undefined) return oneOf.flatMap((option) => this.#typesOf(option))
    return typeof type === 'string' ? [type] : type
  }

  #single(schema: JsonSchema): Read {
    const types = this.#typesOf(schema)
    const accepted = new Set(types.map(kindOfType))
    const [readObject, readList, issueOf] = [
      this.#object(schema),
      this.#list(schema),
      createConstraint(schema, this.#formats),
    ]
    return (value, jsonPath, issues) => {
      const kind = getKind(value)
      if (!accepted.has(kind)) return void add(issues, jsonPath, wrongType(types, value))
      if (kind === 'object') return readObject(value, jsonPath, issues)
      if (kind === 'array') return readList(value, jsonPath, issues)
      const reason = issueOf(value)
      return reason === undefined ? value : void add(issues, jsonPath, reason)
    }
  }

  #object({ properties, required = [], additionalProperties, propertyNames = {} }: JsonSchema): Read {
    if (properties === undefined && additionalProperties === undefined) return asItIs
    const fields = Object.entries(properties ?? {}).map(([name, field]) => ({
      name,
      read: this.compile(field),
      fallback: field.default,
      isRequired: required.includes(name),
    }))
    const known = new Set(fields.map(({ name }) => name))
    const readName = this.compile(propertyNames)
    const readOther = additionalProperties ? this.compile(additionalProperties) : undefined
    return (value, jsonPath, issues) => {
      const given = value as JsonObject
      const made: Record<string, unknown> = {}
      for (const { name, read, fallback, isRequired } of fields) {
        const here = { around: jsonPath, step: name }
        if (Object.hasOwn(given, name)) made[name] = read(given[name], here, issues)
        else if (fallback !== undefined) made[name] = structuredClone(fallback)
        else if (isRequired) add(issues, here, 'is missing')
      }
      if (additionalProperties === undefined) return made
      for (const name of Object.keys(given).filter((key) => !known.has(key))) {
        const here = { around: jsonPath, step: name }
        if (readOther === undefined) add(issues, here, 'is an unknown key')
        // Set like the others, it would replace the prototype.
        else if (name !== '__proto__') {
          readName(name, here, issues)
          made[name] = readOther(given[name], here, issues)
        }
      }
      return made
    }
  }

  #list({ items, minItems = 0 }: JsonSchema): Read {
    const read = items === undefined ? asItIs : this.compile(items)
    return (value, jsonPath, issues) => {
      const given = value as readonly unknown[]
      if (given.length < minItems) add(issues, jsonPath, beyond('array', 'at least', minItems))
      return given.map((item, index) => read(item, { around: jsonPath, step: index }, issues))
    }
  }

  /** By the type of a value there is rarely more than one option. */
  #union(options: readonly JsonSchema[]): Read {
    const types = options.flatMap((option) => this.#typesOf(option))
    const readers = new Map(
      [...new Set(types.map(kindOfType))].map((kind) => [
        kind,
        this.#choice(options.filter((option) => this.#typesOf(option).map(kindOfType).includes(kind))),
      ]),
    )
    return (value, jsonPath, issues) => {
      const read = readers.get(getKind(value))
      return read === undefined
        ? void add(issues, jsonPath, wrongType([...new Set(types)], value))
        : read(value, jsonPath, issues)
    }
  }

  #choice(options: readonly JsonSchema[]): Read {
    const [first = {}, ...others] = options
    if (others.length === 0) return this.compile(first)
    if (options.every((option) => option.const !== undefined))
      return this.compile({ enum: options.flatMap((option) => option.const ?? []) })
    const key = findDiscriminator(options)
    return key === undefined ? this.#firstThatFits(options) : this.#discriminated(options, key)
  }

  #discriminated(options: readonly JsonSchema[], key: string): Read {
    const readers = new Map(options.map((option) => [option.properties?.[key]?.const, this.compile(option)]))
    return (value, jsonPath, issues) => {
      const given = (value as JsonObject)[key]
      const read = readers.get(given)
      if (read !== undefined) return read(value, jsonPath, issues)
      add(
        issues,
        { around: jsonPath, step: key },
        given === undefined ? 'is missing' : describeMismatch([...readers.keys()], given),
      )
      return undefined
    }
  }

  #firstThatFits(options: readonly JsonSchema[]): Read {
    const readers = options.map((option) => this.compile(option))
    return (value, jsonPath, issues) => {
      const failed: (readonly SchemaIssue[])[] = []
      for (const read of readers) {
        const found: SchemaIssue[] = []
        const made = read(value, jsonPath, found)
        if (found.length === 0) return made
        failed.push(found)
      }
      const [closest = []] = failed.toSorted((a, b) => measureDepth(b) - measureDepth(a) || a.length - b.length)
      issues.push(...closest)
      return undefined
    }
  }
}

const asItIs: Read = (value) => value

/** The property that has another constant in each option. */
const findDiscriminator = (options: readonly JsonSchema[]): string | undefined =>
  Object.keys(options[0]?.properties ?? {}).find((key) =>
    options.every(({ properties }) => properties?.[key]?.const !== undefined),
  )

/** How deep an option matched: the deepest match is the one that was meant. */
const measureDepth = (found: readonly SchemaIssue[]): number => Math.max(...found.map(({ path }) => path.length))

/** Why a text, a number or a constant does not fit. */
function createConstraint(schema: JsonSchema, formats: Formats): (value: unknown) => string | undefined {
  const { type, const: constant, enum: values = constant === undefined ? undefined : [constant] } = schema
  const { minimum = -Infinity, maximum = Infinity, minLength = 0, pattern, format } = schema
  const isInteger = type === 'integer' || (Array.isArray(type) && type.includes('integer'))
  const form = pattern === undefined ? undefined : new RegExp(pattern)
  const isOfFormat = format === undefined ? undefined : formats[format]
  return (value) => {
    if (values !== undefined && !values.includes(value as Json)) return describeMismatch(values, value)
    if (typeof value === 'number') {
      if (!Number.isFinite(value) || (isInteger && !Number.isInteger(value)))
        return wrongType([isInteger ? 'integer' : 'number'], value)
      if (value < minimum) return beyond('number', 'at least', minimum)
      if (value > maximum) return beyond('number', 'at most', maximum)
    }
    if (typeof value === 'string') {
      if (value.length < minLength) return beyond('string', 'at least', minLength)
      if (form !== undefined && !form.test(value)) return wrongForm(format, pattern)
      if (isOfFormat?.(value) === false) return `is damaged: it is not of the format "${format}"`
    }
    return undefined
  }
}

function getKind(value: unknown): Kind | undefined {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  return type === 'object' || type === 'string' || type === 'number' || type === 'boolean' ? type : undefined
}

const kindOfType = (type: JsonType): Kind | undefined => (type === 'integer' ? 'number' : type)

function add(issues: SchemaIssue[], jsonPath: JsonPath, reason: string): void {
  issues.push({ path: toPath(jsonPath), reason })
}

function toPath(jsonPath: JsonPath): Path {
  return jsonPath === null ? [] : [...toPath(jsonPath.around), jsonPath.step]
}
