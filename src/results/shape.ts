import { isObject, type Json, type JsonObject, type Path } from '../json.ts'

/** A JSON Schema, as far as results use it. Reading by it takes no library, and what is read has its defaults filled in. */
export type Shape = {
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null'
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Shape
  readonly propertyNames?: Shape
  readonly items?: Shape
  readonly prefixItems?: readonly Shape[]
  readonly anyOf?: readonly Shape[]
  readonly oneOf?: readonly Shape[]
  readonly enum?: readonly Json[]
  readonly const?: Json
  readonly default?: Json
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly pattern?: string
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Shape>>
}

/** A place where a value has another shape. */
export type ShapeIssue = { readonly path: Path; readonly message: string }

/** What was read, and what was wrong with it. */
export type ShapeRead = { readonly value: Json; readonly issues: readonly ShapeIssue[] }

/** Reads a value by a schema: without keys that it does not know, and with defaults for keys that are missing. */
export function readByShape(value: Json, root: Shape): ShapeRead {
  const issues: ShapeIssue[] = []
  return { value: new Reader(root, issues).read(value, root, []), issues }
}

class Reader {
  readonly #root: Shape
  readonly #issues: ShapeIssue[]

  constructor(root: Shape, issues: ShapeIssue[]) {
    this.#root = root
    this.#issues = issues
  }

  read(value: Json, shape: Shape, path: Path): Json {
    if (shape.$ref !== undefined) return this.read(value, this.#referenced(shape.$ref), path)
    const choices = shape.anyOf ?? shape.oneOf
    if (choices !== undefined) return this.#readOneOf(value, choices, path)
    if (shape.const !== undefined && value !== shape.const)
      return this.#refuse(value, path, `is not ${JSON.stringify(shape.const)}`)
    if (shape.enum !== undefined && !shape.enum.includes(value))
      return this.#refuse(value, path, `is none of ${shape.enum.map((one) => JSON.stringify(one)).join(', ')}`)
    if (shape.type !== undefined && !isOfType[shape.type](value))
      return this.#refuse(value, path, `is not of the type ${shape.type}`)
    if (Array.isArray(value)) return this.#readItems(value, shape, path)
    if (isObject(value)) return this.#readProperties(value, shape, path)
    if (typeof value === 'number') this.#checkRange(value, shape, path)
    if (typeof value === 'string' && shape.pattern !== undefined && !new RegExp(shape.pattern, 'u').test(value))
      return this.#refuse(value, path, 'has another form')
    return value
  }

  /** The first choice that fits; else the issues of the one with the fewest. */
  #readOneOf(value: Json, choices: readonly Shape[], path: Path): Json {
    let closest: readonly ShapeIssue[] | undefined
    for (const choice of choices) {
      const issues: ShapeIssue[] = []
      const read = new Reader(this.#root, issues).read(value, choice, path)
      if (issues.length === 0) return read
      if (closest === undefined || issues.length < closest.length) closest = issues
    }
    this.#issues.push(...(closest ?? []))
    return value
  }

  #readItems(items: readonly Json[], { prefixItems = [], items: others }: Shape, path: Path): Json {
    return items.map((item, i) => {
      const shape = prefixItems[i] ?? others
      return shape === undefined ? item : this.read(item, shape, [...path, i])
    })
  }

  #readProperties(value: JsonObject, shape: Shape, path: Path): Json {
    const { properties = {}, required = [], additionalProperties } = shape
    const read: Record<string, Json> = {}
    for (const [key, of] of Object.entries(properties)) {
      const given = value[key]
      if (given !== undefined) read[key] = this.read(given, of, [...path, key])
      else if (of.default !== undefined) read[key] = of.default
      else if (required.includes(key)) this.#refuse(null, [...path, key], 'is missing')
    }
    if (additionalProperties === undefined || additionalProperties === false) return read
    for (const [key, given] of Object.entries(value)) {
      if (Object.hasOwn(properties, key)) continue
      read[key] = additionalProperties === true ? given : this.read(given, additionalProperties, [...path, key])
    }
    return read
  }

  #checkRange(value: number, { minimum, maximum, exclusiveMinimum }: Shape, path: Path): void {
    if (minimum !== undefined && value < minimum) this.#refuse(value, path, `is less than ${minimum}`)
    if (maximum !== undefined && value > maximum) this.#refuse(value, path, `is more than ${maximum}`)
    if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
      this.#refuse(value, path, `is not above ${exclusiveMinimum}`)
  }

  #referenced(reference: string): Shape {
    const name = reference.replace('#/$defs/', '')
    return reference === '#' ? this.#root : (this.#root.$defs?.[name] ?? {})
  }

  #refuse(value: Json, path: Path, message: string): Json {
    this.#issues.push({ path, message })
    return value
  }
}

const isOfType: Readonly<Record<NonNullable<Shape['type']>, (value: Json) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
}
