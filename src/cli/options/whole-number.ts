import { InvalidArgumentError } from 'commander'

/** Parses the argument of an option: a whole number from 1 to `max`. Default: no upper limit. */
export const wholeNumber =
  (max = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const number = Number(text)
    if (Number.isSafeInteger(number) && number >= 1 && number <= max) return number
    throw new InvalidArgumentError(
      `It must be a whole number ${max === Number.MAX_SAFE_INTEGER ? 'above 0' : `from 1 to ${max}`}.`,
    )
  }
