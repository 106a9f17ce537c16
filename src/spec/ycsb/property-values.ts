import { z } from 'zod'

const maxCount = 2 ** 40

/** A whole number. */
export const whole = (min: number, max = maxCount) =>
  z.string().regex(/^\d+$/, 'must be a whole number of at least 0').transform(Number).pipe(z.int().min(min).max(max))

/** A number that may have a fraction. */
export const decimal = z
  .string()
  .regex(/^(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/, 'must be a number of at least 0')
  .transform(Number)

/** One of these names, in any case. */
export const oneOf = <const Name extends string>(names: readonly Name[]) =>
  z
    .string()
    .transform((text) => names.find((name) => name.toLowerCase() === text.toLowerCase()) ?? text)
    .pipe(z.enum(names))

/** Yes or no. */
export const flag = oneOf(['true', 'false']).transform((text) => text === 'true')

/** A property that is refused unless it has its default. */
export const only = (value: string, reason: string) =>
  z.string().refine((text) => text.toLowerCase() === value, `is not imported unless it is "${value}": ${reason}`)

/** A property that is refused whatever it is. */
export const refused = (reason: string) => z.string().refine(() => false, reason)
