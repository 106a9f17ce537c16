import { z } from 'zod'

const maxCount = 2 ** 40

export const whole = (min: number, max = maxCount) =>
  z.string().regex(/^\d+$/, 'must be a whole number of at least 0').transform(Number).pipe(z.int().min(min).max(max))

/** A number that may have a fraction. */
export const decimal = z
  .string()
  .regex(/^(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/, 'must be a number of at least 0')
  .transform(Number)

/** One of these names, in any case. */
export const createCaseInsensitiveEnum = <const Name extends string>(names: readonly Name[]) =>
  z
    .string()
    .transform((text) => names.find((name) => name.toLowerCase() === text.toLowerCase()) ?? text)
    .pipe(z.enum(names))

/** Yes or no. */
export const flag = createCaseInsensitiveEnum(['true', 'false']).transform((text) => text === 'true')

/** A property that is refused unless it has its default. */
export const only = (value: string, reason: string) =>
  z.string().refine((text) => text.toLowerCase() === value, `is not imported unless it is "${value}": ${reason}`)

/** A property that is refused whatever it is. */
export const refused = (reason: string) => z.string().refine(() => false, reason)

const options = z
  .looseObject({
    w: z.string().transform((text) => (/^\d+$/.test(text) ? Number(text) : text)),
    journal: flag,
    j: flag,
    wtimeoutMS: whole(0),
    readPreference: createCaseInsensitiveEnum([
      'primary',
      'primaryPreferred',
      'secondary',
      'secondaryPreferred',
      'nearest',
    ]),
    readConcernLevel: createCaseInsensitiveEnum(['local', 'available', 'majority', 'linearizable', 'snapshot']),
  })
  .partial()

const known = Object.keys(options.shape)

/** Options have the same meaning in any case. */
const optionName = (written: string): string =>
  known.find((name) => name.toLowerCase() === written.toLowerCase()) ?? written

/** Without the address, which may hold a password. */
function splitConnectionString(url: string) {
  const [, database = '', query] = /^[^?]*?(?:\/([^/?]*))?(?:\?(.*))?$/s.exec(url.replace(/^.*?:\/\//, '')) ?? []
  const given = [...new URLSearchParams(query)].map(([name, value]) => [optionName(name), value])
  return {
    database: database === '' || database === 'admin' ? 'ycsb' : database,
    options: Object.fromEntries(given) as Record<string, unknown>,
  }
}

/** A connection string, as the MongoDB binding reads it. */
export const connectionUrl = z
  .string()
  .regex(/^mongodb(\+srv)?:\/\//, 'must begin with "mongodb://" or "mongodb+srv://"')
  .transform(splitConnectionString)
  .pipe(z.object({ database: z.string(), options }))

/** Settings that the binding uses where `mongodb.url` is missing. */
export const ownUrl: z.output<typeof connectionUrl> = { database: 'ycsb', options: { w: 1 } }

/** Options about the address of the server, and about the login there. */
const ofAddress = /^(auth|gssapi|tls|ssl|srv|replicaSet$|directConnection$|loadBalanced$|appName$)/i

/** Options that change what is measured, and are not imported. */
export const leftOut = (given: z.output<typeof options>): readonly string[] =>
  Object.keys(given).filter((name) => !known.includes(name) && !ofAddress.test(name))
